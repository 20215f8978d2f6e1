import type { ClientSession, Types } from "mongoose";
import { KnownNetworks, type KnownNetworksDocument } from "#models/known-networks";
import { NO_ID } from "#models/reading";
import { DAY_MS } from "~/lib/durations";
import { keyedHash } from "~/lib/digest.server";
import { isDuplicateKeyError } from "~/lib/errors.server";

// The networks from which a user has logged in: a stranger's wrong passwords do not end log-ins from there
// (docs/decisions/009-limits-in-the-database.md).

export const NETWORKS_PER_USER = 20;

/** For how long a network is known after its last use. */
export const KNOWN_MS = 90 * DAY_MS;

const networkHash = (userId: Types.ObjectId, clientAddress: string) =>
  keyedHash("network", `${userId.toString()} ${clientAddress}`);

export async function noteNetwork(userId: Types.ObjectId, clientAddress: string): Promise<void> {
  const now = new Date();
  const used = { hash: networkHash(userId, clientAddress), usedAt: now };
  const others = {
    $filter: {
      input: { $ifNull: ["$networks", []] },
      cond: {
        $and: [{ $ne: ["$$this.hash", used.hash] }, { $gt: ["$$this.usedAt", forgotten(now)] }],
      },
    },
  };
  const networks = { $slice: [{ $concatArrays: [[used], others] }, NETWORKS_PER_USER] };
  const expiresAt = new Date(now.getTime() + KNOWN_MS);
  try {
    await KnownNetworks.updateOne({ _id: userId }, [{ $set: { networks, expiresAt } }], {
      upsert: true,
      updatePipeline: true,
    });
  } catch (error) {
    // A simultaneous request has created the document. This request's network is noted the next time.
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/**
 * Whether the user has a session that was used from that network. Without a user (null), returns false after the same
 * time.
 */
export async function isKnownNetwork(
  userId: Types.ObjectId | null,
  clientAddress: string,
): Promise<boolean> {
  const _id = userId ?? NO_ID;
  const known = await KnownNetworks.findById(_id).lean<KnownNetworksDocument>();
  const hash = networkHash(_id, clientAddress);
  const since = forgotten(new Date());
  return known?.networks.some((one) => one.hash === hash && one.usedAt > since) ?? false;
}

const forgotten = (now: Date) => new Date(now.getTime() - KNOWN_MS);

/** Forgets all of a user's networks: with a new password, whoever had the old one is a stranger again. */
export async function forgetNetworks(
  userId: Types.ObjectId,
  session: ClientSession,
): Promise<void> {
  await KnownNetworks.deleteOne({ _id: userId }, { session });
}
