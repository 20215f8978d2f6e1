import { expect, it } from "vitest";
import { importData } from "~/import/import.server";
import { putRecord } from "~/import/put-record.server";
import { setMails, unsubscribe, unsubscribeUrl } from "~/mail/mail-settings.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { findUser, toCurrentUser } from "~/accounts/users.server";
import { onMalformedValue } from "#models/reading";
import { ReviewRequest } from "#models/review-request";
import { User, type UserDocument } from "#models/user";
import { useDatabase } from "../support/database";
import { makeTour, makeUser } from "../support/factories";
import { exportOf } from "../support/services";
import { makeRequest } from "../support/world";

// docs/rules/review-requests.md, The e-mail: a guest objects to being asked.

useDatabase();

const wants = async ({ _id }: UserDocument) =>
  (await User.findById(_id).orFail().lean<UserDocument>()).reviewRequests;
const recordOf = ({ _id, name, email }: UserDocument, reviewRequests?: boolean | null) => ({
  ...{ id: _id.toString(), name, email },
  ...(reviewRequests !== undefined && { reviewRequests }),
});

it("comes by the link of an e-mail, the account's page, an import or a PUT", async () => {
  const users = [await makeUser(), await makeUser(), await makeUser(), await makeUser()] as const;
  const [byLink, byPage, byImport, byPut] = users;
  for (const user of users) expect(await wants(user)).toBe(true);
  await unsubscribe(unsubscribeUrl(byLink._id, "requests").split("/").at(-1)!, "192.0.2.1");
  await setMails(byPage._id.toString(), "requests", "none");
  await importData({ users: [recordOf(byImport, false)] });
  const { result, tag } = await putRecord("users", byPut._id.toString(), recordOf(byPut, false));
  expect(result).toBe("changed");
  for (const user of users) expect(await wants(user)).toBe(false);
  // The same again changes nothing.
  expect(await putRecord("users", byPut._id.toString(), recordOf(byPut, false))).toEqual({
    result: "unchanged",
    tag,
  });
});

it("is taken back by its guest only, whatever a platform sends later", async () => {
  const user = await makeUser();
  await setMails(user._id.toString(), "requests", "none");
  for (const sent of [true, null, undefined]) {
    await importData({ users: [recordOf(user, sent)] });
    await putRecord("users", user._id.toString(), recordOf({ ...user, name: `${sent}` }, sent));
    expect(await wants(user)).toBe(false);
  }
  await setMails(user._id.toString(), "requests", "each");
  expect(await wants(user)).toBe(true);
});

it("is no malformed value in either form", async () => {
  const found: string[] = [];
  onMalformedValue(({ field }) => found.push(field));
  for (const reviewRequests of [true, false]) await wants(await makeUser({ reviewRequests }));
  onMalformedValue(() => {});
  expect(found).toEqual([]);
});

it("of another type is refused in the words of an import", async () => {
  const user = await makeUser();
  await expect(
    putRecord("users", user._id.toString(), { ...recordOf(user), reviewRequests: "no" }),
  ).rejects.toMatchObject({ status: 400, message: "reviewRequests: must be true or false" });
});

it("is exported and erased with the account, as are the guest's requests, without their links", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const tour = await makeTour();
  const token = await makeRequest(user, tour);
  await makeRequest(other, tour);
  await setMails(user._id.toString(), "requests", "none");
  const data = await exportOf((await findUser(user._id.toString()))!);
  expect(data.profile).toMatchObject({ reviewRequests: false });
  expect(data.reviewRequests).toMatchObject([{ tourId: tour._id.toString(), reviewId: null }]);
  expect(JSON.stringify(data)).not.toContain(token);
  const { hash } = await ReviewRequest.findOne({ userId: user._id }).orFail();
  expect(JSON.stringify(data)).not.toContain(hash);
  await deleteAccountOf(toCurrentUser(user));
  await continueDeletions();
  expect(await ReviewRequest.distinct("userId")).toEqual([other._id]);
});
