import { Link } from "@remix-run/react";
import { type Ground, GROUNDS, rulePath } from "~/ui/labels";
import { Time } from "~/ui/time";

interface Removed {
  at: string;
  ground: Ground;
}

export function Redaction({
  redaction: { at, ground },
  timeZone,
}: {
  redaction: Removed;
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

/** Says to a tour's guide, whose id is `reader`, that an operator has removed the reply to a review, when and why. */
export function RemovedReply({
  removed: { at, ground, userId },
  reader,
  timeZone,
}: {
  removed: Removed & { userId: string };
  reader: string;
  timeZone: string;
}) {
  return (
    <p className="muted">
      <span>{userId === reader ? "Your reply" : "The reply of the guide before you"}</span>
      {" was removed by a decision on "}
      <Time at={at} zone={timeZone} />
      {": "}
      <Link to={rulePath(ground)}>{GROUNDS[ground].label}</Link>
      {". You cannot reply again until the time for appeals is over."}
    </p>
  );
}
