import { Link } from "@remix-run/react";
import { type Ground, GROUNDS, rulePath } from "~/services/moderation/words";
import { Time } from "./time";

/** Says that an operator has removed a review's words, when and why. */
export function Redaction({
  redaction: { at, ground },
  timeZone,
}: {
  redaction: { at: string; ground: Ground };
  timeZone: string;
}) {
  return (
    <p className="muted">
      {"The words were removed on "}
      <Time at={at} zone={timeZone} />
      {": "}
      <Link to={rulePath(ground)}>{GROUNDS[ground].label}</Link>
    </p>
  );
}
