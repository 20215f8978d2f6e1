import { Erasure } from "#models/erasure";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { batches, BATCH } from "~/db/batches";
import { erasedAmong } from "~/accounts/erasures.server";
import { KeyTable } from "./key-table.server";
import type { ReadFile } from "./read-file.server";
import type { States } from "./states.server";

const OUTSIDE = ["absent", "there", "erased"] as const;

interface ReferredTour {
  /** The id of its guide; of a malformed record there is none. */
  guide: string | undefined;
  isStored: boolean;
}

export class References {
  readonly #users = new KeyTable();
  readonly #tours = new Map<string, ReferredTour | null>();

  private constructor(
    private readonly file: ReadFile,
    private readonly states: States,
    /** Whether any account was deleted here that the file may not bring back. */
    readonly anyErased: boolean,
  ) {}

  static async of(file: ReadFile, states: States, restoreDeleted: boolean): Promise<References> {
    const anyErased = !restoreDeleted && (await Erasure.exists({})) !== null;
    return new References(file, states, anyErased);
  }

  /** Looks for those of the ids that are not known yet. The users of the file must have been checked. */
  async find({ users, tours }: Record<"users" | "tours", (string | undefined)[]>): Promise<void> {
    const { numbers } = this.file;
    const unknown = [...new Set(users)].filter(
      (id): id is string =>
        id !== undefined &&
        numbers.users.get(id) === undefined &&
        this.#users.get(id) === undefined,
    );
    for (const ids of batches(unknown, BATCH)) {
      const found = await User.distinct("_id", { _id: { $in: ids } });
      const there = new Set(found.map(String));
      const absent = ids.filter((id) => !there.has(id)).map((id) => ({ id }));
      const erased = this.anyErased ? await erasedAmong(absent) : new Set();
      for (const id of there) this.#users.add(id, OUTSIDE.indexOf("there"));
      for (const one of absent)
        this.#users.add(one.id, OUTSIDE.indexOf(erased.has(one) ? "erased" : "absent"));
    }
    const unseen = [...new Set(tours)].filter(
      (id): id is string => id !== undefined && !this.#tours.has(id),
    );
    for (const ids of batches(unseen, BATCH)) {
      const found = await Tour.find({ _id: { $in: ids } }, "createdById").lean();
      const stored = new Map(found.map((tour) => [tour._id.toString(), tour.createdById]));
      for (const id of ids) {
        const number = numbers.tours.get(id);
        const own = number === undefined ? undefined : this.file.spool.read("tours", number);
        const isStored = stored.has(id);
        const guide = own ? own.createdById : stored.get(id)?.toString();
        this.#tours.set(id, own || isStored ? { guide, isStored } : null);
      }
    }
  }

  /** Whether the user is or will be there, or was deleted here; undefined for one that nobody knows. */
  user(id: string): "there" | "erased" | undefined {
    const number = this.file.numbers.users.get(id);
    if (number !== undefined)
      return this.states.is("users", number, "leftOut") ? "erased" : "there";
    const outside = OUTSIDE[this.#users.get(id) ?? 0]!;
    return outside === "absent" ? undefined : outside;
  }

  tour(id: string): ReferredTour | null {
    return this.#tours.get(id) ?? null;
  }
}
