import { describe, expect, test } from "vitest";
import { findUser, hasUser } from "~/services/accounts/users.server";
import { useDatabase } from "../../support/database";
import { makeUser } from "../../support/factories";

useDatabase();

describe("finding users", () => {
  test("by id, and null for what is no id or nobody's", async () => {
    const gwen = await makeUser({ image: "/gwen.png" });
    expect(await findUser(gwen._id.toString())).toEqual({
      id: gwen._id.toString(),
      name: gwen.name,
      email: gwen.email,
      image: "/gwen.png",
    });
    for (const id of ["", "gwen", "0".repeat(24), "0".repeat(12)])
      expect(await findUser(id)).toBeNull();
  });

  test("by address in any letters", async () => {
    await makeUser({ email: "Gwen@example.test" });
    expect(await hasUser("gwen@EXAMPLE.test")).toBe(true);
    expect(await hasUser("wen@example.test")).toBe(false);
  });
});
