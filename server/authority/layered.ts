/** Reads through to a base map and keeps writes until `commit`. */
export class LayeredMap<K, V> implements ReadonlyMap<K, V> {
  readonly #base: LayeredMap<K, V> | null;
  readonly #own = new Map<K, V>();
  /** Deleted in the base, even if written again here. */
  readonly #deleted = new Set<K>();

  constructor(base: LayeredMap<K, V> | null = null) {
    this.#base = base;
  }

  get(key: K): V | undefined {
    if (this.#own.has(key)) return this.#own.get(key);
    return this.#deleted.has(key) ? undefined : this.#base?.get(key);
  }

  has(key: K): boolean {
    return this.#own.has(key) || this.#isBelow(key);
  }

  #isBelow(key: K): boolean {
    return !this.#deleted.has(key) && (this.#base?.has(key) ?? false);
  }

  set(key: K, value: V): this {
    this.#own.set(key, value);
    return this;
  }

  delete(key: K): boolean {
    const wasPresent = this.has(key);
    this.#own.delete(key);
    if (this.#base) this.#deleted.add(key);
    return wasPresent;
  }

  get written(): ReadonlyMap<K, V> {
    return this.#own;
  }

  commit(): void {
    if (!this.#base) return;
    for (const key of this.#deleted) this.#base.delete(key);
    for (const [key, value] of this.#own) this.#base.set(key, value);
    this.#own.clear();
    this.#deleted.clear();
  }

  get size(): number {
    return this.#base ? [...this.keys()].length : this.#own.size;
  }

  /** In the order of a single map with all writes. */
  *entries(): Generator<[K, V], undefined> {
    for (const [key, value] of this.#base?.entries() ?? []) if (!this.#deleted.has(key)) yield [key, this.#own.get(key) ?? value];
    for (const entry of this.#own) if (!this.#isBelow(entry[0])) yield entry;
  }

  *keys(): Generator<K, undefined> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): Generator<V, undefined> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): Generator<[K, V], undefined> {
    return this.entries();
  }

  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }
}

export class LayeredList<T> {
  readonly #base: LayeredList<T> | null;
  readonly #from: number;
  #own: T[] = [];

  constructor(base: LayeredList<T> | null = null) {
    this.#base = base;
    this.#from = base?.length ?? 0;
  }

  get length(): number {
    return this.#from + this.#own.length;
  }

  at(index: number): T | undefined {
    const position = index < 0 ? index + this.length : index;
    return position < this.#from ? this.#base?.at(position) : this.#own[position - this.#from];
  }

  indexOf(value: T): number {
    const baseIndex = this.#base?.indexOf(value) ?? -1;
    if (baseIndex !== -1 && baseIndex < this.#from) return baseIndex;
    const localIndex = this.#own.indexOf(value);
    return localIndex === -1 ? -1 : localIndex + this.#from;
  }

  push(value: T): void {
    this.#own.push(value);
  }

  commit(): void {
    for (const value of this.#own) this.#base?.push(value);
  }
}
