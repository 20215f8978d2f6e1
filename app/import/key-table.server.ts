import { hash } from "node:crypto";

/** Four of the table's numbers are a key: 128 bits of a hash, so that no two texts share one. */
const WORDS = 4;

const LOAD = 0.75;

/**
 * Texts, each with a number, in 30 to 60 bytes for each however long they are: a `Map` takes several times as
 * much, and cannot have more than 16 million.
 */
export class KeyTable {
  #size = 0;
  #capacity = 1_024;
  #keys = new Uint32Array(this.#capacity * WORDS);
  /** The numbers plus one; 0 is a free place. */
  #values = new Uint32Array(this.#capacity);

  get(text: string): number | undefined {
    const value = this.#values[this.#place(hashedKey(text))];
    return value ? value - 1 : undefined;
  }

  /** Returns the number of a text that is there already, and leaves that as it is. */
  add(text: string, value: number): number | undefined {
    const key = hashedKey(text);
    const place = this.#place(key);
    const before = this.#values[place];
    if (before) return before - 1;
    this.#keys.set(key, place * WORDS);
    this.#values[place] = value + 1;
    if (++this.#size > this.#capacity * LOAD) this.#grow();
    return undefined;
  }

  /** Where a key is, or the free place where it would be. */
  #place(key: Uint32Array): number {
    let place = key[0]! % this.#capacity;
    while (this.#values[place] !== 0 && !this.#isAt(place, key))
      place = (place + 1) % this.#capacity;
    return place;
  }

  #isAt(place: number, key: Uint32Array): boolean {
    const first = place * WORDS;
    return key.every((word, index) => this.#keys[first + index] === word);
  }

  #grow(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#capacity *= 2;
    this.#keys = new Uint32Array(this.#capacity * WORDS);
    this.#values = new Uint32Array(this.#capacity);
    for (const [old, value] of values.entries()) {
      if (value === 0) continue;
      const key = keys.subarray(old * WORDS, (old + 1) * WORDS);
      const place = this.#place(key);
      this.#keys.set(key, place * WORDS);
      this.#values[place] = value;
    }
  }
}

/** The first 128 bits of the SHA-256 of a text. */
function hashedKey(text: string): Uint32Array {
  const digest = hash("sha256", text, "buffer");
  return Uint32Array.from({ length: WORDS }, (_, index) => digest.readUInt32LE(index * 4));
}
