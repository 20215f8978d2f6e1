import type { ReactElement } from "react";

/** A paragraph as a text or an element, or a list, whose items are in an order if they are `steps`. */
export type Block = string | ReactElement | string[] | { steps: string[] } | false;

export function renderBlock(block: Block) {
  if (typeof block === "string") return <p>{block}</p>;
  if (Array.isArray(block)) return <ul>{listItems(block)}</ul>;
  return block && "steps" in block ? <ol>{listItems(block.steps)}</ol> : block;
}

const listItems = (texts: string[]) => texts.map((text) => <li key={text}>{text}</li>);
