import ts from "typescript";

// A translator in the browser replaces texts by elements of its own. If an element holds a text and anything else,
// React then writes into a text that is no longer visible, or fails to remove it, which breaks the page. If a text is
// the only content of its element, React replaces whatever is there.

const TEXT = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.Any;
const NOTHING = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.BooleanLike;

const some = (type, test) =>
  type.isUnion() ? type.types.some((each) => some(each, test)) : test(type);
const isText = (type) => (type.flags & TEXT) !== 0 && !(type.isStringLiteral() && !type.value);
const isNothing = (type) => (type.flags & NOTHING) !== 0;

/** The elements that an expression can result in. */
const choices = (node) => {
  if (node?.type === "ConditionalExpression")
    return [...choices(node.consequent), ...choices(node.alternate)];
  if (node?.type === "LogicalExpression") return choices(node.right);
  return node?.type === "JSXElement" ? [node] : [];
};

const partsOf = (node) =>
  node.children.filter(
    (child) =>
      !(child.type === "JSXText" && !child.value.trim() && child.value.includes("\n")) &&
      child.expression?.type !== "JSXEmptyExpression",
  );

const isFixed = ({ type, expression }) =>
  type === "JSXText" || (expression?.type === "Literal" && typeof expression.value === "string");

/** Requires that a text stands alone in its element if it can change, or if something beside it comes and goes. */
export const loneText = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      alone: "A text that can change stands alone in its element, as one string.",
      beside:
        "Nothing that comes, goes or changes may stand beside a text: give the text, or this, an element of its own.",
      fragment: "A text stands in an element, not in a fragment.",
      kept: "React keeps this element for another one of the same kind with other texts: give it a key.",
    },
  },
  create(context) {
    const { getTypeAtLocation } = context.sourceCode.parserServices;

    /** Return type of one of our components; those of packages declare that they may return anything. */
    const returned = (element) => {
      if (element.type !== "JSXElement") return null;
      const type = getTypeAtLocation(element.openingElement.name);
      const result = type.getCallSignatures()[0]?.getReturnType();
      return !result || result.aliasSymbol?.name === "ReactNode" ? null : result;
    };

    function checkElement(node) {
      const parts = partsOf(node);
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

    const textOf = (node) => context.sourceCode.getText(node);
    const keyOf = ({ openingElement: { attributes } }) =>
      attributes.filter(({ name }) => name?.name === "key").map(textOf)[0];
    const hasTextBeside = (parts) => parts.length > 1 && parts.some(isFixed);
    const layout = (parts) =>
      JSON.stringify(parts.map((part) => (isFixed(part) ? textOf(part).trim() : null)));

    /** The first element that React would keep for one with other texts, when `one` becomes `other`. */
    function kept(one, other) {
      if (one.type !== "JSXElement" || other.type !== "JSXElement") return null;
      if (textOf(one.openingElement.name) !== textOf(other.openingElement.name)) return null;
      if (keyOf(one) !== keyOf(other)) return null;
      const [parts, others] = [partsOf(one), partsOf(other)];
      if ((hasTextBeside(parts) || hasTextBeside(others)) && layout(parts) !== layout(others))
        return other;
      return parts.map((part, n) => others[n] && kept(part, others[n])).find(Boolean);
    }
    function checkChoices(elements) {
      for (const [n, other] of elements.entries()) {
        const node = elements
          .slice(0, n)
          .map((one) => kept(one, other))
          .find(Boolean);
        if (node) context.report({ node, messageId: "kept" });
      }
    }

    const returns = [];
    const begin = () => returns.push([]);
    const end = () => checkChoices(returns.pop());
    return {
      JSXElement: checkElement,
      JSXFragment: checkElement,
      "JSXExpressionContainer > :matches(ConditionalExpression, LogicalExpression)": (node) =>
        checkChoices(choices(node)),
      ":function": begin,
      ":function:exit": end,
      "ArrowFunctionExpression > .body": (node) => returns.at(-1).push(...choices(node)),
      ReturnStatement: ({ argument }) => returns.at(-1)?.push(...choices(argument)),
    };
  },
};
