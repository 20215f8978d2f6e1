import ts from "typescript";

// A translator in the browser replaces texts by elements of its own. Where React keeps a text among other things, it
// then writes into a text that nobody sees, or fails to remove it, which ends the page. A text that is all that its
// element holds, React replaces whatever stands there.

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.Any;
const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.BooleanLike;

const some = (type, test) =>
  type.isUnion() ? type.types.some((each) => some(each, test)) : test(type);
const isText = (type) => (type.flags & TEXT) !== 0 && !(type.isStringLiteral() && !type.value);
const isNothing = (type) => (type.flags & NOTHING) !== 0;

/** Holds that a text which can change, or has what comes and goes beside it, stands alone in its element. */
export const loneText = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      alone: "A text that can change stands alone in its element, as one string.",
      beside:
        "Beside a text stands nothing that comes, goes or changes: give the text, or this, an element.",
      fragment: "A text stands in an element, not in a fragment.",
    },
  },
  create(context) {
    const { getTypeAtLocation } = context.sourceCode.parserServices;

    /** What a component of ours returns; those of packages say that they return anything. */
    const returned = (element) => {
      if (element.type !== "JSXElement") return null;
      const type = getTypeAtLocation(element.openingElement.name);
      const result = type.getCallSignatures()[0]?.getReturnType();
      return !result || result.aliasSymbol?.name === "ReactNode" ? null : result;
    };

    function check(node) {
      const parts = node.children.filter(
        (child) =>
          !(child.type === "JSXText" && !child.value.trim() && child.value.includes("\n")) &&
          child.expression?.type !== "JSXEmptyExpression",
      );
      const isFixed = ({ type, expression }) =>
        type === "JSXText" ||
        (expression?.type === "Literal" && typeof expression.value === "string");
      const texts = parts.filter(isFixed);
      if (node.type === "JSXFragment" && texts.length > 0)
        context.report({ node: texts[0], messageId: "fragment" });
      if (parts.length < 2 && node.type === "JSXElement") return;
      for (const part of parts.filter((part) => !isFixed(part))) {
        const type =
          part.type === "JSXExpressionContainer"
            ? getTypeAtLocation(part.expression)
            : returned(part);
        if (type && some(type, isText)) context.report({ node: part, messageId: "alone" });
        else if (
          texts.length > 0 &&
          (part.type === "JSXExpressionContainer" || (type && some(type, isNothing)))
        )
          context.report({ node: part, messageId: "beside" });
      }
    }
    return { JSXElement: check, JSXFragment: check };
  },
};
