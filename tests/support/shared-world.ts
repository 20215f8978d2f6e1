import mongoose, { type Types } from "mongoose";
import { beforeAll, beforeEach } from "vitest";
import { clearCaches } from "~/infra/cache.server";
import { User } from "../../models/user";
import { keepDocuments } from "./collections";
import { emptyDatabase } from "./database";
import { useApp } from "./shared-app";
import { makeWorld, type World } from "./world";

/** Gives these tests the app that files share, and a world that is as new before each of them; returns the world. */
export const useWorld = (): (() => World) => useScene(makeWorld);

/**
 * The same with what `make` creates in the empty database. It is created anew only after one of its users was deleted:
 * the app goes on removing what belonged to them.
 */
export function useScene<Scene>(make: () => Promise<Scene>): () => Scene {
  useApp({ emptied: "once" });
  let scene: Scene;
  let users: Types.ObjectId[];
  let restore: () => Promise<void>;
  const create = async () => {
    scene = await make();
    users = await User.distinct("_id");
    restore = await keepDocuments(mongoose.connection);
  };
  beforeAll(create);
  beforeEach(async () => {
    if ((await User.countDocuments({ _id: { $in: users } })) < users.length) {
      await emptyDatabase();
      await create();
    }
    await restore();
    clearCaches();
  });
  return () => scene;
}
