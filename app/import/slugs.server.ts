import type { ClientSession, Types } from "mongoose";
import { SpentNonce } from "#models/spent-nonce";
import { FormerSlug } from "#models/former-slug";
import { formsOfSlug, Tour, type TourDocument } from "#models/tour";
import { BATCH, batches } from "~/db/batches";
import { sha256 } from "~/lib/digest.server";

/** Lets one transaction at a time give that slug to a tour; leaves nothing. A platform's index may not be unique. */
export async function claimSlug(slug: string, session: ClientSession): Promise<void> {
  const _id = sha256(`slug ${slug.normalize()}`);
  await SpentNonce.create([{ _id, expiresAt: new Date() }], { session });
  await SpentNonce.deleteOne({ _id }, { session });
}

/** Lets the present slugs of up to a thousand tours that get others lead to them from now on. */
export async function keepFormerSlugs(
  tours: { id: string; slug: string }[],
  session?: ClientSession,
): Promise<void> {
  const next = new Map(tours.map(({ id, slug }) => [id, slug]));
  for (const ids of batches([...next.keys()], BATCH)) {
    const stored = await Tour.find({ _id: { $in: ids } }, "slug", { session }).lean<
      TourDocument[]
    >();
    const moved = stored.filter(({ _id, slug }) => {
      const id = _id.toString();
      return slug !== id && slug.normalize() !== next.get(id)?.normalize();
    });
    if (moved.length > 0)
      await FormerSlug.bulkWrite(
        moved.map(({ _id, slug }) => ({
          updateOne: {
            filter: { _id: slug.normalize() },
            update: { $set: { tourId: _id } },
            upsert: true,
          },
        })),
        { session },
      );
  }
}

/** The ids of the other tours that have the slug. */
export const ownersOfSlug = async (slug: string, id: string): Promise<string[]> =>
  (await Tour.find({ slug: { $in: formsOfSlug(slug) } }, "_id").lean())
    .map(({ _id }) => _id.toString())
    .filter((owner) => owner !== id);

/** Whether another tour has the slug. */
export const hasSlug = async (slug: string, id: Types.ObjectId, session?: ClientSession) =>
  (await Tour.exists({ slug: { $in: formsOfSlug(slug) }, _id: { $ne: id } }).session(
    session ?? null,
  )) !== null;
