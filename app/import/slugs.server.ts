import type { ClientSession, Types } from "mongoose";
import { SpentNonce } from "#models/spent-nonce";
import { formsOfSlug, Tour } from "#models/tour";
import { sha256 } from "~/infra/digest.server";

/** Lets one transaction at a time give that slug to a tour; leaves nothing. A platform's index may not be unique. */
export async function claimSlug(slug: string, session: ClientSession): Promise<void> {
  const _id = sha256(`slug ${slug.normalize()}`);
  await SpentNonce.create([{ _id, expiresAt: new Date() }], { session });
  await SpentNonce.deleteOne({ _id }, { session });
}

/** Whether another tour has the slug. */
export const hasSlug = async (slug: string, id: Types.ObjectId, session?: ClientSession) =>
  (await Tour.exists({ slug: { $in: formsOfSlug(slug) }, _id: { $ne: id } }).session(
    session ?? null,
  )) !== null;
