import * as z from 'zod/mini';
import { KIND_ROWS, KINDS_IN_FILES, type SourcePlace } from '../domain/resource.ts';
import type { Findings, Path, Report } from './findings.ts';
import { checkResource } from './rules.ts';
import { resourceFileShape, type WrittenBroadcast, type WrittenCampaign } from './schema.ts';
import { checkShape } from './shape-check.ts';
import { didYouMean } from './suggest.ts';
import type { WorkspaceDraft, AccountDirectory } from './workspace.ts';
import { readYaml, type YamlSource } from './yaml.ts';

interface ResourceCursor {
  readonly source: YamlSource;
  /** From the file's root, such as `campaigns[3]`. */
  readonly path: Path;
  readonly place: SourcePlace;
  /** Its distinct accounts. */
  readonly aliases: readonly string[];
}

/** A resource as written, with its place and accounts. */
export type WrittenResource =
  | (ResourceCursor & { readonly kind: 'campaign'; readonly written: WrittenCampaign })
  | (ResourceCursor & {
      readonly kind: 'broadcast';
      readonly written: WrittenBroadcast;
      /** It has no schedule, and is sent at once. */
      readonly atOnce: boolean;
    });

/** The file without its resources. Each resource is checked alone, so that one cannot hide problems of another. */
const frameShape = z.extend(resourceFileShape, {
  campaigns: z.optional(z.array(z.unknown())),
  broadcasts: z.optional(z.array(z.unknown())),
});

type Frame = z.infer<typeof frameShape>;

/**
 * Reads a resource file's text. All problems are reported. The rules across the fields of a resource are checked once
 * each field is right.
 */
export function readResources(
  file: string,
  text: string,
  { directory, knownWords }: Pick<WorkspaceDraft, 'directory' | 'knownWords'>,
  atOnce: boolean,
  report: Report,
): readonly WrittenResource[] {
  const { source, diagnostics } = readYaml(file, text);
  report.addAll(diagnostics);
  if (source === null) return [];
  const select = (names: readonly string[], found: Findings): readonly string[] =>
    directory === null ? [] : selectAccounts(names, directory, found);
  const frame = readFrame(source, report);
  // Without accounts of the file, each resource needs its own.
  const usual = frame.accounts === undefined ? null : select(frame.accounts, report.within(source, []));
  const resources = KINDS_IN_FILES.flatMap((kind) =>
    (frame[KIND_ROWS[kind].plural] ?? []).flatMap((item, index): WrittenResource[] => {
      const path = [KIND_ROWS[kind].plural, index];
      const found = report.within(source, path);
      const written = checkResource(kind, item, knownWords, found, atOnce);
      if (written === null) return [];
      const aliases = written.accounts === undefined ? usual : select(written.accounts, found);
      if (aliases === null) {
        const message = '`accounts` is missing. Write `accounts: [alice]` here or at the top of the file.';
        found.error('accounts-missing', ['accounts'], message);
      }
      const cursor = { source, path, place: source.placeOf(path), aliases: aliases ?? [] };
      // The shape of its kind was checked.
      return [{ kind, written, atOnce, ...cursor } as WrittenResource];
    }),
  );
  source.release();
  return resources;
}

/** An empty file is an error, or `--allow prune` would archive everything. */
const EMPTY_ADVICE =
  'This file is empty. Write campaigns or broadcasts, or `campaigns: []` if it should be empty.';

/** With an error next to them, the lists of resources are read all the same. */
function readFrame(source: YamlSource, report: Report): Frame {
  const frame = checkShape(frameShape, source.value ?? {}, report.within(source, []));
  if (frame !== null && KINDS_IN_FILES.every((kind) => frame[KIND_ROWS[kind].plural] === undefined))
    report.error('empty-file', EMPTY_ADVICE, source.placeOf([]));
  if (frame !== null) return frame;
  const lists = KINDS_IN_FILES.map((kind): [string, unknown] => {
    const list: unknown = Reflect.get(Object(source.value), KIND_ROWS[kind].plural);
    return [KIND_ROWS[kind].plural, Array.isArray(list) ? list : []];
  });
  return { accounts: [], ...Object.fromEntries(lists) };
}

/** Resolves aliases and groups to distinct aliases, in the given order. */
function selectAccounts(
  names: readonly string[],
  { accounts, groups }: AccountDirectory,
  found: Findings,
): readonly string[] {
  // Thousands of resources may name one group of thousands: they share its array.
  const [only = '', second] = names;
  const group = groups.get(only);
  if (second === undefined && group !== undefined) return group;
  const aliases = new Set<string>();
  for (const [index, name] of names.entries()) {
    const members = groups.get(name) ?? (accounts.has(name) ? [name] : null);
    for (const alias of members ?? []) aliases.add(alias);
    if (members !== null) continue;
    const known = [...accounts.keys(), ...groups.keys()];
    const message = `Unknown account or group "${name}".${didYouMean(name, known)} Known: ${known.join(', ')}. Add it to herald.yaml, or correct the name.`;
    found.error('unknown-account', ['accounts', index], message);
  }
  return [...aliases];
}
