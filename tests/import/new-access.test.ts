import { expect, test } from "vitest";
import { putRecord } from "~/import/put-record.server";
import { useDatabase } from "../support/database";
import { makeUser, PASSWORD } from "../support/factories";
import { subjectsTo } from "../support/mail";

useDatabase();

test.each([
  ["password was", false, true],
  ["e-mail address was", true, false],
  ["password and e-mail address were", true, true],
])(
  "a user whose %s changed by the platform is told, at each address",
  async (what, moves, renews) => {
    const user = await makeUser();
    const [id, email] = [user._id.toString(), user.email.toUpperCase()];
    const same = { name: "Anna", email, password: PASSWORD };
    // Another case is the same address.
    await putRecord("users", id, same);
    expect([...(await subjectsTo(user.email)), ...(await subjectsTo(email))]).toEqual([]);

    const newEmail = `new-${user.email}`;
    const changed = {
      ...(moves && { email: newEmail }),
      ...(renews && { password: "five boats" }),
    };
    await putRecord("users", id, { ...same, ...changed });
    const [things, be] = [what.slice(0, what.lastIndexOf(" ")), what.split(" ").at(-1)];
    const told = [`The ${things} of your account ${be} changed`];
    expect(await subjectsTo(email)).toEqual(told);
    expect(await subjectsTo(newEmail)).toEqual(moves ? told : []);
  },
);
