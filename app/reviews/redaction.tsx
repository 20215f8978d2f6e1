import { Link } from "@remix-run/react";
import { type Ground, GROUNDS, rulePath } from "~/ui/labels";
import { Time } from "~/ui/time";

interface Removal {
  at: string;
  ground: Ground;
}

export function Redaction({ redaction, timeZone }: { redaction: Removal; timeZone: string }) {
  return (
    <p className="muted">
      {"The words were removed on "}
      <WhenAndWhy {...redaction} timeZone={timeZone} />
    </p>
  );
}

/** Says to a tour's guide, whose id is `reader`, that an operator has removed the reply to a review, when and why. */
export function RemovedReply({
  removed: { userId, ...removal },
  reader,
  timeZone,
}: {
  removed: Removal & { userId: string };
  reader: string;
  timeZone: string;
}) {
  return (
    <p className="muted">
      <span>{userId === reader ? "Your reply" : "The reply of the guide before you"}</span>
      {" was removed by a decision on "}
      <WhenAndWhy {...removal} timeZone={timeZone} />
      {". You cannot reply again until the time for appeals is over."}
    </p>
  );
}

const WhenAndWhy = ({ at, ground, timeZone }: Removal & { timeZone: string }) => (
  <span>
    <Time at={at} zone={timeZone} />
    {": "}
    <Link to={rulePath(ground)}>{GROUNDS[ground].label}</Link>
  </span>
);
