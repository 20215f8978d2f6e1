import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** The networks that a user's sessions came from, the latest first. */
export interface KnownNetworksDocument {
  /** The user's id. */
  _id: Types.ObjectId;
  networks: KnownNetwork[];
  expiresAt: Date;
}

export interface KnownNetwork {
  /** A keyed hash of user and network, which reveals neither where somebody is nor who else is there. */
  hash: string;
  usedAt: Date;
}

const schema = new Schema<KnownNetworksDocument>({
  networks: {
    type: [new Schema<KnownNetwork>({ hash: String, usedAt: Date }, { _id: false })],
    required: true,
  },
  expiresAt: { type: Date, required: true },
});

// The database itself removes expired documents.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const KnownNetworks = define("KnownNetworks", "tourReviews.knownNetworks", schema);
