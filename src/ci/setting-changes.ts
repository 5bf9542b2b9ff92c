import { canonical } from '../domain/digest.ts';
import type { Path } from '../workspace/findings.ts';
import { readYaml, type YamlSource } from '../workspace/yaml-source.ts';

/** One setting of `herald.yaml` that a pull request changes. */
export interface SettingChange {
  /** Such as `policy.max_price_gross`. */
  readonly path: string;
  /** As JSON, cut if it is long. Null if it was not set. */
  readonly before: string | null;
  /** Null if it is not set any more. */
  readonly after: string | null;
  /** In the new file, or in the old one for a setting that is gone. From 1. */
  readonly line: number;
}

/** Settings that decide where campaigns go and what may go out. A reviewer has to see a change of them first. */
const CALLED_OUT = ['service', 'policy', 'allow', 'ownership', 'state'] as const;

/** Longer values are cut. */
const VALUE_MAX = 100;

/**
 * The settings about the service and the policy that differ between two texts of `herald.yaml`. A text is null without a
 * file. A file that is not YAML has no settings here: it has errors of its own.
 */
export function settingChanges(base: string | null, head: string | null): readonly SettingChange[] {
  const [was, is] = [sourceOf(base), sourceOf(head)];
  return CALLED_OUT.flatMap((section) =>
    differences([section], member(was?.value, section), member(is?.value, section)),
  ).map(({ path, before, after }) => ({
    path: path.join('.'),
    before: shortened(before),
    after: shortened(after),
    line: (after === undefined ? was : is)?.placeOf(path, 'key').line ?? 1,
  }));
}

function sourceOf(text: string | null): YamlSource | null {
  return text === null ? null : readYaml('herald.yaml', text).source;
}

interface Difference {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

/** Down to single values; a list is one value. */
function differences(path: Path, before: unknown, after: unknown): readonly Difference[] {
  if (before === undefined && after === undefined) return [];
  if (!isSection(before) && !isSection(after))
    return before !== undefined && after !== undefined && canonical(before) === canonical(after)
      ? []
      : [{ path, before, after }];
  const keys = new Set([before, after].flatMap((value) => (isSection(value) ? Object.keys(value) : [])));
  // A single value that became a section, or the other way round.
  const itself = [before, after].some((value) => value !== undefined && !isSection(value));
  if (itself || keys.size === 0)
    return canonical(before ?? null) === canonical(after ?? null) ? [] : [{ path, before, after }];
  return [...keys]
    .toSorted()
    .flatMap((key) => differences([...path, key], member(before, key), member(after, key)));
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(value: unknown, key: string): unknown {
  return isSection(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function shortened(value: unknown): string | null {
  if (value === undefined) return null;
  // An address may hold a password by mistake.
  const text = JSON.stringify(value).replace(/:\/\/[^/\s@"]*@/g, '://***@');
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX - 1)}…` : text;
}
