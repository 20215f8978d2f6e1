import { isWebAddress } from "~/infra/contact";
import { Section } from "./about-section";

/** How to reach the people who run the site; `contact` is an e-mail address or the address of a page. */
export function Contact({ contact }: { contact: string }) {
  return (
    <Section id="contact">
      <p>
        {"Anyone, authorities included, can reach us at "}
        <a href={isWebAddress(contact) ? contact : `mailto:${contact}`} translate="no">
          {contact}
        </a>
        .
      </p>
    </Section>
  );
}

export function History() {
  return (
    <Section id="history">
      <ul>
        <li>
          <time dateTime="2026-11-27">27 November 2026</time>
          {": explorers can object when a guide says that they did not come."}
        </li>
        <li>
          <time dateTime="2026-11-26">26 November 2026</time>
          {
            ": reports, decisions and appeals; rules for the content of reviews and replies; figures."
          }
        </li>
      </ul>
    </Section>
  );
}
