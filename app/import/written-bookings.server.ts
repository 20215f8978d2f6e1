import { groupBy } from "es-toolkit/array";
import { type AnyBulkWriteOperation, type mongo, Types } from "mongoose";
import { Booking, type BookingDocument, COMPLETED } from "#models/booking";
import { BATCH, batches } from "~/db/batches";
import { noteImported } from "~/requests/note.server";
import { revokeRights, revokesRight } from "~/reviews/list/verified.server";

type BookingWrite = AnyBulkWriteOperation<BookingDocument>;

interface LostBooking {
  operation: BookingWrite;
  /** As it is stored. */
  before: BookingDocument;
}

/** The model of an import's bookings: the tours of those that no longer entitle to a review are claimed. */
export const WrittenBookings = {
  distinct: (field: "_id", filter: never) => Booking.distinct(field, filter),

  async bulkWrite(
    operations: BookingWrite[],
    options: mongo.BulkWriteOptions & { throwOnValidationError: boolean },
  ): Promise<void> {
    await noteImported(operations.map(bookingFields), new Date());
    const taking = await findTaking(operations);
    const apart = new Set(taking.map(({ operation }) => operation));
    const others = operations.filter((operation) => !apart.has(operation));
    if (others.length > 0) await Booking.bulkWrite(others, options);
    for (const ofTour of Object.values(groupBy(taking, ({ before }) => String(before.tourId))))
      for (const some of batches(ofTour, BATCH)) {
        const updates = some.map(({ operation }) => operation);
        const userIds = some.map(({ before }) => before.userId);
        await revokeRights(some[0]!.before.tourId, userIds, (session) =>
          Booking.bulkWrite(updates, { ...options, session }),
        );
      }
  },
};

/** Returns the fields of a record, whose ids are texts as in its file. */
function bookingFields(operation: BookingWrite) {
  const { userId, tourId, ...fields } = (
    "insertOne" in operation
      ? operation.insertOne.document
      : (operation as { updateOne: { update: { $set: BookingDocument } } }).updateOne.update.$set
  ) as BookingDocument;
  return { ...fields, userId: new Types.ObjectId(userId), tourId: new Types.ObjectId(tourId) };
}

async function findTaking(operations: BookingWrite[]): Promise<LostBooking[]> {
  const taking: LostBooking[] = [];
  for (const some of batches(operations, BATCH)) {
    const updates = some.flatMap((operation) =>
      "updateOne" in operation
        ? {
            operation,
            id: operation.updateOne.filter._id as Types.ObjectId,
            ...operation.updateOne,
          }
        : [],
    );
    if (updates.length === 0) continue;
    const stored = { _id: { $in: updates.map(({ id }) => id) }, status: COMPLETED };
    const found = await Booking.find(stored, "userId tourId status").lean<BookingDocument[]>();
    const byId = new Map(found.map((booking) => [booking._id.toString(), booking]));
    for (const { operation, id, update } of updates) {
      const before = byId.get(id.toString());
      const { $set } = update as { $set: Partial<BookingDocument> };
      if (before && revokesRight(before, { ...before, ...$set }))
        taking.push({ operation, before });
    }
  }
  return taking;
}
