import type { DeclaredFilter } from '../domain/audience.ts';
import type { DeclaredAttachment, DeclaredMessage, MediaFile } from '../domain/message.ts';
import type { Declared, DeclaredBroadcast, DeclaredCampaign } from '../domain/resource.ts';
import type { WrittenAttachment, WrittenFilter, WrittenMessage } from './content-shapes.ts';
import { AsWritten, Filler, type Fills } from './fill.ts';
import { error, type Finding, type Path, type Report } from './findings.ts';
import { readIgnore } from './ignore.ts';
import type { WrittenResource } from './resources.ts';
import { scheduledHour } from './rules/broadcast.ts';
import { writtenEnd, type WithEnd } from './rules/end.ts';
import type { Suggestions } from './suggest.ts';
import type { TextFile } from './text-files.ts';
import { fillWishes } from './media-wishes.ts';
import { mediaReference, type ExaminedMedia } from './media-files.ts';
import { hasPlaceholder } from './variables.ts';
import type { WorkspaceDraft } from './workspace.ts';

/** Texts from files, by the index of their message. */
type Texts = ReadonlyMap<number, TextFile>;

/** Texts and media from other files. */
export interface Outside {
  readonly texts: Texts;
  /** Media by `mediaReference`. One that was refused is missing here, and reported. */
  readonly media: ReadonlyMap<string, ExaminedMedia>;
}

/** One resource for one account, with its place in the files. */
export interface Expanded {
  readonly declared: Declared;
  readonly resource: WrittenResource;
}

/** Shared by all resources of a workspace. */
export interface Expanding extends Pick<WorkspaceDraft, 'directory' | 'ignore'> {
  readonly suggestions: Suggestions;
}

interface Filled {
  readonly audience_filters: DeclaredFilter[];
  readonly messages: DeclaredMessage[];
}

/** Makes one `Declared` per account, with its variables filled in. */
export function expandResource(
  resource: WrittenResource,
  outside: Outside,
  { directory, ignore, suggestions }: Expanding,
  report: Report,
): Expanded[] {
  const { aliases, source, path } = resource;
  if (aliases.length > 1) report.addFindings(source, path, sharedIds(resource));
  // Content that does not depend on the account is built once, and shared.
  let same: Filled | null = null;
  let unfilled: Filled | null = null;
  const build =
    resource.kind === 'campaign' ? campaignBuilder(resource, ignore) : broadcastBuilder(resource, ignore);
  return aliases.map((alias) => {
    const variables = directory.accounts.get(alias) ?? new Map<string, string>();
    const filler = new Filler(alias, variables, suggestions);
    const filled: Filled = same ?? fillContent(resource, outside, filler);
    if (!filler.used) same = filled;
    const isSure = ({ code }: { readonly code: string }) =>
      directory.complete.variables || code !== 'unset-variable';
    report.addFindings(source, path, filler.findings.filter(isSure));
    report.addAll(filler.diagnostics.filter(isSure));
    if (!filler.used) return { declared: build(alias, filled), resource };
    unfilled ??= fillContent(resource, outside, new AsWritten());
    return { declared: { ...build(alias, filled), written: { ...unfilled, variables } }, resource };
  });
}

type Build = (account: string, filled: Filled) => Declared;

function campaignBuilder(
  resource: WrittenResource & { readonly kind: 'campaign' },
  ignore: readonly string[],
): Build {
  const { written, place: source } = resource;
  const { name, ...shared } = described(written, ignore);
  const rules = withUtcEnd(written.rules);
  return (account, filled): DeclaredCampaign => ({
    kind: 'campaign',
    address: { account, kind: 'campaign', name },
    source,
    ...shared,
    timezone: written.rules?.end_at_timezone ?? null,
    target: written.status ?? 'active',
    content: {
      trigger: written.trigger,
      action: written.action,
      ...(rules === undefined ? {} : { rules }),
      ...filled,
    },
    replace: written.replace ?? 'pause_first',
    oldQueue: written.old_queue ?? 'keep',
  });
}

function broadcastBuilder(
  resource: WrittenResource & { readonly kind: 'broadcast' },
  ignore: readonly string[],
): Build {
  const { written, place: source } = resource;
  const { name, ...shared } = described(written, ignore);
  const rules = withUtcEnd(written.rules);
  const hour = scheduledHour(written);
  // Without a time there is an error, so this value is never used.
  const scheduledAtUtc = hour?.kind === 'hour' ? hour.utc : '';
  return (account, filled): DeclaredBroadcast => ({
    kind: 'broadcast',
    address: { account, kind: 'broadcast', name },
    source,
    ...shared,
    timezone: written.scheduled_at_timezone ?? written.rules?.end_at_timezone ?? null,
    target: written.status ?? 'scheduled',
    content: { ...(rules === undefined ? {} : { rules }), ...filled },
    scheduledAtUtc,
    ...(resource.atOnce === true ? { atOnce: true } : {}),
  });
}

/** A letter can have two Unicode spellings. The composed one is compared and sent (CONTENT-2). */
function described(
  written: WrittenResource['written'],
  ignore: readonly string[],
): Pick<Declared, 'renamedFrom' | 'protect' | 'ignore'> & { readonly name: string } {
  return {
    name: written.name.normalize('NFC'),
    renamedFrom: written.renamed_from?.normalize('NFC') ?? null,
    protect: written.protect === true,
    ignore: written.ignore === undefined ? ignore : readIgnore(ignore, written.ignore),
  };
}

/** The rules to send: the end in UTC, without its zone. */
function withUtcEnd<Rules extends NonNullable<WithEnd['rules']>>(
  rules: Rules | undefined,
): Omit<Rules, 'end_at_timezone'> | undefined {
  if (rules === undefined) return undefined;
  const { end_at_timezone: _zone, ...rest } = rules;
  const end = writtenEnd({ rules });
  return end?.kind === 'hour' ? { ...rest, end_at: end.utc } : rest;
}

function fillContent({ written }: WrittenResource, outside: Outside, filler: Fills): Filled {
  return {
    audience_filters: (written.audience_filters ?? []).map((filter, index) =>
      fillFilter(filter, index, filler),
    ),
    messages: (written.messages ?? []).map((message, index) => fillMessage(message, index, outside, filler)),
  };
}

function fillFilter(filter: WrittenFilter, index: number, filler: Fills): DeclaredFilter {
  const lists = filter.options?.lists;
  if (lists === undefined) return filter;
  const filled = lists.map(({ name, id }, position) => {
    const path = ['audience_filters', index, 'options', 'lists', position];
    const pinned = id === undefined ? {} : { id: filler.fillId(id, path, 'id') };
    return { name: filler.fill(name, path, 'name'), ...pinned };
  });
  return { ...filter, options: { ...filter.options, lists: filled } };
}

function fillMessage(
  written: WrittenMessage,
  index: number,
  { texts, media }: Outside,
  filler: Fills,
): DeclaredMessage {
  const textFile = texts.get(index);
  const {
    text_file: reference,
    text: inline,
    attachments,
    tagged_platform_account_ids: tagged,
    ...rest
  } = written;
  const path = ['messages', index];
  // Not by a spread, with which each message gets a hidden class of its own in V8.
  const message: DeclaredMessage = Object.assign({}, rest);
  if (inline !== undefined) message.text = inline === null ? null : filler.fillMessage(inline, path);
  if (textFile !== undefined) message.text = filler.fillTextFile(textFile);
  if (attachments !== undefined) {
    message.attachments = attachments.flatMap((attachment, position) =>
      fillAttachment(attachment, [...path, 'attachments', position], media, filler),
    );
  }
  if (tagged !== undefined) {
    const below = [...path, 'tagged_platform_account_ids'];
    message.tagged_platform_account_ids = tagged.map((id, position) => filler.fillId(id, below, position));
  }
  const couldSpeak = textFile !== undefined || (typeof inline === 'string' && inline.trim() !== '');
  if (couldSpeak && message.text?.trim() === '' && (attachments ?? []).length === 0) {
    const advice =
      'The text is empty after its variables were filled in. Write a text, or add an attachment.';
    filler.findings.push(
      error('text-missing', [...path, reference === undefined ? 'text' : 'text_file'], advice),
    );
  }
  return message;
}

/** Empty if a rule has already reported it. */
function fillAttachment(
  attachment: WrittenAttachment,
  path: Path,
  media: Outside['media'],
  filler: Fills,
): DeclaredAttachment[] {
  const { id, type, file: reference, is_paid: isPaid } = attachment;
  const paid = isPaid === undefined ? {} : { is_paid: isPaid };
  const examined = reference === undefined ? undefined : media.get(mediaReference(attachment));
  if (examined !== undefined)
    return [
      { file: fillWishes(examined, attachment, path, filler), type: mediaType(examined.file), ...paid },
    ];
  if (id === undefined || type === undefined) return [];
  return [{ id: filler.fillMediaId(id, path, 'id'), type: filler.fill(type, path, 'type'), ...paid }];
}

/** Assumed: `video` and `audio`, in addition to the documented `image` (CONTENT-11). */
function mediaType({ content_type: contentType }: MediaFile): string {
  return contentType.slice(0, contentType.indexOf('/'));
}

/** Media and fan lists belong to one account (CONTENT-14). Files are uploaded to each account. */
function sharedIds({ written }: WrittenResource): Finding[] {
  const media = (written.messages ?? []).flatMap(({ attachments = [] }, index) =>
    attachments.flatMap(({ id }, position) =>
      id === undefined || hasPlaceholder(id)
        ? []
        : [{ code: 'shared-attachment' as const, path: ['messages', index, 'attachments', position, 'id'] }],
    ),
  );
  const lists = (written.audience_filters ?? []).flatMap(({ options }, index) =>
    (options?.lists ?? []).flatMap(({ id }, position) =>
      id === undefined || hasPlaceholder(id)
        ? []
        : [
            {
              code: 'shared-list' as const,
              path: ['audience_filters', index, 'options', 'lists', position, 'id'],
            },
          ],
    ),
  );
  const message =
    'This id belongs to one account, but the resource has several. Set a variable for each account, and write "{{variable}}".';
  return [...media, ...lists].map(({ code, path }) => error(code, path, message));
}
