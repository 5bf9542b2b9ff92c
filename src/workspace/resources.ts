import { type Kind, KIND_ROWS, KINDS_IN_FILES, type SourcePlace } from '../domain/resource.ts';
import * as z from 'zod/mini';
import { selectAccounts, type AccountDirectory } from './accounts.ts';
import { dropFollowUps } from './follow-ups.ts';
import { error, type Path, type Report } from './findings.ts';
import type { WordsKnown } from './known-words.ts';
import { ReparsedSource } from './reparsed-source.ts';
import { BROADCAST_RULES, SENT_AT_ONCE_RULES } from './rules/broadcast.ts';
import { CAMPAIGN_RULES } from './rules/campaign.ts';
import { applyRules, type Rule } from './rules/rule.ts';
import {
  broadcastShape,
  campaignShape,
  resourceFileShape,
  type WrittenBroadcast,
  type WrittenCampaign,
} from './schema.ts';
import { checkShape } from './shape-issues.ts';
import { NO_NAME } from './text.ts';
import type { WorkspaceDraft } from './workspace.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

interface ResourceCursor {
  readonly source: ReparsedSource;
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
      readonly atOnce?: true;
    });

/** The file without its resources. Each resource is checked alone, so that one cannot hide problems of another. */
const frameShape = z.extend(resourceFileShape, {
  campaigns: z.optional(z.array(z.unknown())),
  broadcasts: z.optional(z.array(z.unknown())),
});

interface FileContext {
  readonly source: YamlSource;
  readonly late: ReparsedSource;
  readonly directory: AccountDirectory;
  readonly knownWords: WordsKnown;
  readonly report: Report;
  /** The file's own `accounts:`, or null. */
  readonly aliases: readonly string[] | null;
  /** Its broadcasts have no schedule. */
  readonly isSentAtOnce: boolean;
}

/** Reads a resource file's text. All problems are reported. */
export function readResources(
  file: string,
  text: string,
  {
    directory,
    knownWords,
    isSentAtOnce,
  }: Pick<WorkspaceDraft, 'directory' | 'knownWords'> & { readonly isSentAtOnce: boolean },
  report: Report,
): WrittenResource[] {
  const { source, diagnostics } = readYaml(file, text);
  report.addAll(diagnostics);
  if (source === null) return [];
  if (source.value === null || source.value === undefined) {
    report.addFindings(source, [], [error('empty-file', [], EMPTY_ADVICE)]);
    return [];
  }
  const { value: frame, findings, removed } = checkShape(frameShape, source.value);
  report.addFindings(source, [], findings);
  if (frame === null) return [];
  if (KINDS_IN_FILES.every((kind) => frame[KIND_ROWS[kind].plural] === undefined) && removed.length === 0) {
    report.addFindings(source, [], [error('empty-file', [], EMPTY_ADVICE)]);
  }
  // A list that was removed because it was wrong does not count as missing.
  const isGone = removed.some(([key]) => key === 'accounts');
  const aliases =
    frame.accounts === undefined
      ? isGone
        ? []
        : null
      : select(frame.accounts, [], { source, directory, report });
  const late = new ReparsedSource(file, text);
  const context = { source, late, directory, knownWords, report, aliases, isSentAtOnce };
  return KINDS_IN_FILES.flatMap((kind) => READ[kind](frame[KIND_ROWS[kind].plural] ?? [], context));
}

/** Reads the items of one kind's list. */
const READ: Readonly<
  Record<Kind, (items: readonly unknown[], context: FileContext) => readonly WrittenResource[]>
> = {
  campaign: (items, context) =>
    readItems(KIND_ROWS.campaign.plural, items, campaignShape, CAMPAIGN_RULES, context).map(
      (item): WrittenResource => ({ ...item, kind: 'campaign' }),
    ),
  broadcast: (items, context) =>
    readItems(
      KIND_ROWS.broadcast.plural,
      items,
      broadcastShape,
      context.isSentAtOnce ? SENT_AT_ONCE_RULES : BROADCAST_RULES,
      context,
    ).map((item): WrittenResource => ({
      ...item,
      kind: 'broadcast',
      ...(context.isSentAtOnce ? { atOnce: true } : {}),
    })),
};

/** An empty file is an error, or `--allow prune` would archive everything. */
const EMPTY_ADVICE =
  'This file is empty. Write campaigns or broadcasts, or `campaigns: []` if it should be empty.';

function readItems<Written extends { readonly accounts?: readonly string[] | undefined }>(
  list: string,
  items: readonly unknown[],
  shape: z.core.$ZodType<Written>,
  rules: readonly Rule<Written>[],
  context: FileContext,
): (ResourceCursor & { readonly written: Written })[] {
  const { source, late, report } = context;
  return items.flatMap((item, index) => {
    const path = [list, index];
    const { value: written, findings, removed } = checkShape(shape, item, placeholdersFor(item));
    report.addFindings(source, path, findings);
    if (written === null) return [];
    const oddNumberAt = (below: Path) => source.oddNumberAt([...path, ...below]);
    const said = applyRules(rules, written, oddNumberAt, context.knownWords);
    report.addFindings(source, path, dropFollowUps(said, removed));
    const isGone = removed.some(([key]) => key === 'accounts');
    const aliases = isGone ? [] : aliasesOf(written.accounts, path, context);
    return [{ source: late, path, place: source.placeOf(path), aliases, written }];
  });
}

/** Placeholders for missing keys. Rules report them only as missing, which is reported already. */
function placeholdersFor(item: unknown): Readonly<Record<string, unknown>> {
  const messages = typeof item === 'object' && item !== null && 'messages' in item ? item.messages : [];
  const speaks = Array.isArray(messages) && messages.length > 0;
  return { name: NO_NAME, trigger: 'missing', action: speaks ? 'send_message' : 'start_mimic' };
}

function aliasesOf(
  names: readonly string[] | undefined,
  path: Path,
  context: FileContext,
): readonly string[] {
  if (names !== undefined) return select(names, path, context);
  if (context.aliases !== null) return context.aliases;
  const message = '`accounts` is missing. Write `accounts: [alice]` here or at the top of the file.';
  context.report.addFindings(context.source, path, [error('accounts-missing', ['accounts'], message)]);
  return [];
}

function select(
  names: readonly string[],
  path: Path,
  context: Omit<FileContext, 'aliases' | 'late' | 'knownWords' | 'isSentAtOnce'>,
): readonly string[] {
  const { aliases, findings } = selectAccounts(names, context.directory, ['accounts']);
  context.report.addFindings(context.source, path, findings);
  return aliases;
}
