import type { FieldDifference } from '../../domain/change.ts';
import { canonical } from '../../domain/digest.ts';
import { templateOf } from './template.ts';

/** Words that differ by account, where the fields show `{{number}}`. */
export interface Slot {
  /** From 1. */
  readonly number: number;
  /** One for each variant, in order. */
  readonly words: readonly string[];
}

/** A short value that differs by account. */
export interface VaryingField {
  readonly path: string;
  /** One for each variant, in order. */
  readonly values: readonly Pick<FieldDifference, 'old' | 'new'>[];
}

/** The fields of several variants of one change, as far as they agree. */
export interface MergedFields {
  readonly fields: readonly FieldDifference[];
  readonly slots: readonly Slot[];
  readonly varying: readonly VaryingField[];
}

/** Longer values are not listed by account. */
const SHORT_UNITS = 60;

/** The fields of these variants as one list, or null if they differ in more than short values and a few words. */
export function mergeFields(variants: readonly (readonly FieldDifference[])[]): MergedFields | null {
  const [first = []] = variants;
  const slots = new SlotNumbers();
  const fields: FieldDifference[] = [];
  const varying: VaryingField[] = [];
  for (const [index, { path }] of first.entries()) {
    const column = variants.map((variant) => variant[index]);
    if (column.some((field) => field?.path !== path)) return null;
    const values = column.filter((field) => field !== undefined);
    const old = asOne(
      values.map((field) => field.old),
      slots,
    );
    const wanted = asOne(
      values.map((field) => field.new),
      slots,
    );
    if (old !== null && wanted !== null) fields.push({ path, old: old.value, new: wanted.value });
    else if (values.every((field) => isShort(field.old) && isShort(field.new)))
      varying.push({ path, values: values.map((field) => ({ old: field.old, new: field.new })) });
    else return null;
  }
  if (variants.some(({ length }) => length !== first.length)) return null;
  return { fields, slots: slots.used(fields), varying };
}

/** One value for all variants: the same, or a template. Null if there is none. */
function asOne(values: readonly unknown[], slots: SlotNumbers): { readonly value: unknown } | null {
  const [first] = values;
  const key = canonical(first);
  if (values.every((value) => value === first || canonical(value) === key)) return { value: first };
  const texts = values.filter((value) => typeof value === 'string');
  const template = texts.length === values.length ? templateOf(texts) : null;
  if (template === null) return null;
  const text = template.pieces.map((piece) => {
    return typeof piece === 'string' ? piece : `{{${slots.numberOf(template.slots[piece] ?? [])}}}`;
  });
  return { value: text.join('') };
}

function isShort(value: unknown): boolean {
  return canonical(value ?? null).length <= SHORT_UNITS;
}

/** Equal words by account have one number in all fields, as one variable has. */
class SlotNumbers {
  private readonly slots = new Map<string, Slot>();

  numberOf(words: readonly string[]): number {
    const key = canonical(words);
    const slot = this.slots.get(key) ?? { number: this.slots.size + 1, words };
    this.slots.set(key, slot);
    return slot.number;
  }

  /** Only those in the fields: one side of a varying field may have had some. */
  used(fields: readonly FieldDifference[]): readonly Slot[] {
    const texts = fields.flatMap(({ old, new: wanted }) => [old, wanted]);
    return [...this.slots.values()].filter(({ number }) =>
      texts.some((text) => typeof text === 'string' && text.includes(`{{${number}}}`)),
    );
  }
}
