import { canonical } from '../domain/digest.ts';
import type { Path } from '../workspace/findings.ts';
import { readYaml, type YamlSource } from '../workspace/yaml.ts';

/** One setting of `herald.yaml` that a pull request changes. */
export interface SettingChange {
  /** Such as `policy.max_price_gross`. */
  readonly path: string;
  /** The old value, or the elements that a list does not have any more. As JSON. */
  readonly removed: readonly string[];
  /** The new value, or the elements that a list has now. */
  readonly added: readonly string[];
  /** In the new file, or in the old one for a setting that is gone. From 1. */
  readonly line: number;
  /** False only if it can forbid more, and never less. */
  readonly loosens: boolean;
}

/** Settings that decide where campaigns go and what may go out. A reviewer has to see a change of them first. */
const CALLED_OUT = ['service', 'policy', 'ci', 'allow', 'ignore', 'ownership', 'state'] as const;

/**
 * The settings about the service and the policy that differ between two texts of `herald.yaml`, element by element. Those that
 * may loosen something come first. A text is null without a file. A file that is not YAML has no settings here: it has errors
 * of its own.
 */
export function settingChanges(base: string | null, head: string | null): readonly SettingChange[] {
  const [was, is] = [sourceOf(base), sourceOf(head)];
  const changes = CALLED_OUT.flatMap((section) =>
    differences([section], member(was?.value, section), member(is?.value, section)),
  ).map(({ path, before, after, removed, added }) => ({
    path: path.join('.'),
    removed: removed.map(asText),
    added: added.map(asText),
    line: (after === undefined ? was : is)?.placeOf(path, 'key').line ?? 1,
    loosens: !onlyTightens({ path, before, removed, added }, was?.value),
  }));
  return changes.toSorted((one, two) => Number(two.loosens) - Number(one.loosens));
}

/**
 * | section            | a change that only tightens                                                      |
 * |--------------------|----------------------------------------------------------------------------------|
 * | `policy`, `ci`     | a new rule that has no default, and a new element of a list; not a level of warn |
 * | `allow`, `ignore`  | an element that is gone                                                          |
 * | `ownership`        | a prefix that is gone                                                            |
 * | anything else      | none                                                                             |
 */
function onlyTightens(
  { path: [section, rule = ''], before, removed, added }: Omit<Difference, 'after'>,
  base: unknown,
): boolean {
  if (section === 'policy' || section === 'ci') {
    const isNew = member(member(base, section), String(rule)) === undefined;
    const only = removed.length === 0 && !added.includes('warn') && rule !== 'max_changes';
    return only && (isNew || Array.isArray(before));
  }
  return (section === 'allow' || section === 'ignore' || section === 'ownership') && added.length === 0;
}

function sourceOf(text: string | null): YamlSource | null {
  return text === null ? null : readYaml('herald.yaml', text).source;
}

interface Difference {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
}

/** Down to single values, and to the elements of lists. The order of a list does not matter. */
function differences(path: Path, before: unknown, after: unknown): readonly Difference[] {
  if (isSection(before) || isSection(after)) {
    const [was, is] = [asSection(before, after), asSection(after, before)];
    return [...new Set([...Object.keys(was), ...Object.keys(is)])]
      .toSorted()
      .flatMap((key) => differences(key === '' ? path : [...path, key], member(was, key), member(is, key)));
  }
  const [had, has] = [before, after].map((value) => (value === undefined ? [] : [value].flat()));
  const removed = without(had, has);
  const added = without(has, had);
  return removed.length + added.length === 0 ? [] : [{ path, before, after, removed, added }];
}

/** The short form of a rule as its long form: `max_changes: 20` is `{ limit: 20 }`. */
function asSection(value: unknown, other: unknown): Readonly<Record<string, unknown>> {
  if (isSection(value)) return value;
  if (value === undefined) return {};
  const alike = (one: unknown) => typeof one === typeof value && Array.isArray(one) === Array.isArray(value);
  const key = isSection(other) ? Object.keys(other).find((name) => alike(other[name])) : undefined;
  return { [key ?? '']: value };
}

function without(elements: readonly unknown[] = [], others: readonly unknown[] = []): readonly unknown[] {
  const known = new Set(others.map((one) => canonical(one)));
  return elements.filter((one) => !known.has(canonical(one)));
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of a YAML map that has the key itself. */
export function member(value: unknown, key: string): unknown {
  return isSection(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function asText(value: unknown): string {
  // An address may hold a password by mistake.
  return JSON.stringify(value).replace(/:\/\/[^/\s@"]*@/g, '://***@');
}
