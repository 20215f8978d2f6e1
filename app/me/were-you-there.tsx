import { Form } from "@remix-run/react";
import type { Absent } from "~/guides/departures/objections.server";
import { SubmitButton } from "~/ui/forms";
import { Time } from "~/ui/time";
import { Section } from "~/ui/section";

/** "Gwen says that you did not come to Night Walk on Saturday 21 November 2026, 23:00." */
export function AbsenceInWords({ guideName, tour, date }: Absent) {
  return (
    <>
      <bdi translate="no">{guideName || "Your guide"}</bdi>
      <span> says that you did not come to </span>
      <bdi>{tour.title}</bdi>
      <span>{date && " on "}</span>
      {date && <Time at={date} zone={tour.timeZone} form="departure" />}
      <span>.</span>
    </>
  );
}

interface ObjectionFormProps {
  action: string;
  absent: Absent;
  until: string;
}

export function ObjectionForm({ action, absent, until }: ObjectionFormProps) {
  const { id, tour } = absent;
  return (
    <Form method="post" action={action} className="stack" id={`absence-${id}`}>
      <p className="hint">
        If you took it, or came and the guide wasn’t there, tell us by{" "}
        <Time at={until} zone={tour.timeZone} />. We’ll then mark your booking as completed and tell
        the guide, and you can review the tour. If you did not come, you don’t have to do anything.
      </p>
      <p>
        <SubmitButton action={action} name="absence" value={id}>
          I was there, or the guide wasn’t
        </SubmitButton>
      </p>
    </Form>
  );
}

export function Absences({ absences }: { absences: Absent[] }) {
  return (
    <Section id="absences" title="Did you take this tour?">
      <ul className="plain-list card">
        {absences.map((absent) => (
          <li key={absent.id} className="stack">
            <p>
              <AbsenceInWords {...absent} />
            </p>
            {absent.until && <ObjectionForm action="/me" absent={absent} until={absent.until} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}
