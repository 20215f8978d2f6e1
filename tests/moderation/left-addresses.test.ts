import { expect, it } from "vitest";
import { changeAddress } from "~/accounts/address.server";
import { toCurrentUser } from "~/accounts/users.server";
import { importData } from "~/import/import.server";
import { putRecord } from "~/import/put-record.server";
import { putRecords, readBodyOfRecords } from "~/import/put-records.server";
import { sha256 } from "~/lib/digest.server";
import { keepPlatformUser } from "~/me/platform-users.server";
import { getCase } from "~/moderation/cases.server";
import { makeOperator } from "~/moderation/operators.server";
import { moderationTexts } from "~/moderation/refusal-texts";
import { EmailLink } from "#models/email-link";
import { User, type UserDocument } from "#models/user";
import { addressOf, caseOf, decideAs, makeCaseScene, report } from "../support/cases";
import { useDatabase } from "../support/database";
import { as, makeUser } from "../support/factories";

// An operator never decides about a report with an address that was theirs (docs/rules/moderation.md, Decisions).

useDatabase();

const FORMER = "Rita@former.example";
const NEW = "rita@new.example";

const record = ({ _id, name }: UserDocument, email: string) => ({
  id: _id.toString(),
  name,
  email,
});

/** Two users who take one another's addresses. */
const exchanged = (one: UserDocument, other: UserDocument) => [
  record(one, other.email),
  record(other, one.email),
];

const WAYS: [string, (rita: UserDocument, other: UserDocument) => Promise<unknown>][] = [
  [
    "by a link",
    async (rita) => {
      const link = { purpose: "address" as const, email: NEW, userId: rita._id };
      const expiresAt = new Date(Date.now() + 60_000);
      await EmailLink.create({ ...link, _id: "link", hash: sha256("token"), expiresAt });
      await changeAddress(toCurrentUser(rita), "token");
    },
  ],
  [
    "by the platform that logs her in",
    (rita) => keepPlatformUser({ sub: rita._id.toString(), name: rita.name, email: NEW }),
  ],
  ["by a record of the API", (rita) => putRecord("users", rita._id.toString(), record(rita, NEW))],
  [
    "in exchange for another's, by records of the API",
    (rita, other) =>
      putRecords(
        readBodyOfRecords(
          JSON.stringify(exchanged(rita, other).map((one) => ({ type: "users", ...one }))),
        ),
      ),
  ],
  ["by an import", (rita) => importData({ users: [record(rita, NEW)] })],
  [
    "in exchange for another's, by an import",
    (rita, other) => importData({ users: exchanged(rita, other) }),
  ],
];

it.each(WAYS)(
  "whoever has left the address of a report %s does not decide about it",
  async (_, leave) => {
    const { review, operator } = await makeCaseScene();
    const [rita, other] = [await makeUser({ name: "Rita" }), await makeUser()];
    // Before the address is that of her account.
    await report(addressOf(review), { email: FORMER.toLowerCase() });
    rita.email = FORMER;
    await User.updateOne({ _id: rita._id }, { email: FORMER });
    await leave(rita, other);
    expect((await User.findById(rita._id).orFail()).email).not.toBe(FORMER);
    await makeOperator((await User.findById(rita._id).orFail()).email);
    const found = await caseOf(review);
    const own = { status: 403, message: moderationTexts.ownCase };
    await expect(decideAs(rita, found, { action: "keep" })).rejects.toMatchObject(own);
    expect((await getCase(as(operator), found._id.toString())).refusal).toBeNull();
  },
);
