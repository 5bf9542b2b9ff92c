import type { DeclaredFilter } from '../domain/audience.ts';
import { mediaPrint, wishesDigest, type MediaWishes } from '../domain/media-wishes.ts';
import type { DeclaredAttachment, DeclaredMessage, MediaFile } from '../domain/message.ts';
import type { Declared, DeclaredBroadcast, DeclaredCampaign } from '../domain/resource.ts';
import { Filler } from './fill.ts';
import type { Path, Report } from './findings.ts';
import { readIgnore } from './ignore.ts';
import type { Outside } from './outside.ts';
import type { WrittenResource } from './resources.ts';
import { scheduledHour, writtenEnd } from './schedule.ts';
import type { WrittenAttachment, WrittenFilter, WrittenMessage } from './schema.ts';
import { hasPlaceholder } from './variables.ts';
import type { WorkspaceDraft } from './workspace.ts';

/** One resource for one account, with its place in the files. */
export interface Expanded {
  readonly declared: Declared;
  readonly resource: WrittenResource;
}

interface Filled {
  readonly audience_filters: DeclaredFilter[];
  readonly messages: DeclaredMessage[];
}

/** Makes one `Declared` per account, with its variables filled in. */
export function expandResource(
  resource: WrittenResource,
  outside: Outside,
  { directory, ignore }: Pick<WorkspaceDraft, 'directory' | 'ignore'>,
  report: Report,
): Expanded[] {
  const { aliases, source, path } = resource;
  if (aliases.length > 1) refuseSharedIds(resource, report);
  // Content that does not depend on the account is built once, and shared.
  let same: Filled | null = null;
  let unfilled: Filled | null = null;
  const build = prepare(resource, ignore);
  return aliases.map((alias) => {
    const variables = directory?.accounts.get(alias) ?? new Map<string, string>();
    const filler = new Filler(alias, variables, report);
    const filled: Filled = same ?? fillContent(resource, outside, filler);
    report.addFindings(source, path, filler.found.list);
    if (!filler.used) {
      same = filled;
      return { declared: build(alias, filled), resource };
    }
    unfilled ??= fillContent(resource, outside, new Filler(alias, null, report));
    return { declared: { ...build(alias, filled), written: { ...unfilled, variables } }, resource };
  });
}

/** A function that makes the resource of one account. What all accounts share is read once. */
function prepare(
  resource: WrittenResource,
  ignore: readonly string[],
): (account: string, filled: Filled) => Declared {
  const { kind, written, place: source } = resource;
  const { name, ...shared } = readShared(written, ignore);
  if (resource.kind === 'campaign') {
    const { trigger, action, status: target = 'active', replace = 'pause_first' } = resource.written;
    const rules = withUtcEnd(resource.written.rules);
    const content = { trigger, action, ...(rules === undefined ? {} : { rules }) };
    return (account, filled): DeclaredCampaign => ({
      kind: 'campaign',
      address: { account, kind, name },
      source,
      ...shared,
      timezone: written.rules?.end_at_timezone ?? null,
      target,
      content: { ...content, ...filled },
      replace,
      oldQueue: resource.written.old_queue ?? 'keep',
    });
  }
  const { atOnce } = resource;
  const { status: target = 'scheduled', scheduled_at_timezone: zone } = resource.written;
  const rules = withUtcEnd(resource.written.rules);
  const hour = scheduledHour(resource.written);
  return (account, filled): DeclaredBroadcast => ({
    kind: 'broadcast',
    address: { account, kind, name },
    source,
    ...shared,
    timezone: zone ?? written.rules?.end_at_timezone ?? null,
    target,
    content: { ...(rules === undefined ? {} : { rules }), ...filled },
    // Without a time there is an error, so this value is never used.
    scheduledAtUtc: hour?.kind === 'hour' ? hour.utc : '',
    ...(atOnce ? { atOnce } : {}),
  });
}

/** A letter can have two Unicode spellings. The composed one is compared and sent (CONTENT-2). */
function readShared(
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
function withUtcEnd<Rules extends NonNullable<WrittenResource['written']['rules']>>(
  rules: Rules | undefined,
): Omit<Rules, 'end_at_timezone'> | undefined {
  if (rules === undefined) return undefined;
  const { end_at_timezone: _zone, ...rest } = rules;
  const end = writtenEnd(rules);
  return end?.kind === 'hour' ? { ...rest, end_at: end.utc } : rest;
}

function fillContent({ written }: WrittenResource, outside: Outside, filler: Filler): Filled {
  return {
    audience_filters: (written.audience_filters ?? []).map((filter, index) =>
      fillFilter(filter, ['audience_filters', index], filler),
    ),
    messages: (written.messages ?? []).map((message, index) => fillMessage(message, index, outside, filler)),
  };
}

function fillFilter(filter: WrittenFilter, path: Path, filler: Filler): DeclaredFilter {
  const lists = filter.options?.lists;
  if (lists === undefined) return filter;
  const filled = lists.map(({ name, id }, position) => {
    const below = [...path, 'options', 'lists', position];
    const pinned = id === undefined ? {} : { id: filler.fillId(id, [...below, 'id']) };
    return { name: filler.fill(name, [...below, 'name']), ...pinned };
  });
  return { ...filter, options: { ...filter.options, lists: filled } };
}

function fillMessage(
  written: WrittenMessage,
  index: number,
  { texts, media }: Outside,
  filler: Filler,
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
  if (inline !== undefined)
    message.text = inline === null ? null : filler.fillMessage(inline, [...path, 'text']);
  if (textFile !== undefined) message.text = filler.fillTextFile(textFile);
  if (attachments !== undefined) {
    message.attachments = attachments.flatMap((attachment, position) =>
      fillAttachment(attachment, [...path, 'attachments', position], media, filler),
    );
  }
  if (tagged !== undefined) {
    const below = [...path, 'tagged_platform_account_ids'];
    message.tagged_platform_account_ids = tagged.map((id, position) =>
      filler.fillId(id, [...below, position]),
    );
  }
  const couldSpeak = textFile !== undefined || (typeof inline === 'string' && inline.trim() !== '');
  if (couldSpeak && message.text?.trim() === '' && (attachments ?? []).length === 0) {
    const advice =
      'The text is empty after its variables were filled in. Write a text, or add an attachment.';
    filler.found.error('text-missing', [...path, reference === undefined ? 'text' : 'text_file'], advice);
  }
  return message;
}

/** Empty if a rule has already reported it. */
function fillAttachment(
  attachment: WrittenAttachment,
  path: Path,
  media: Outside['media'],
  filler: Filler,
): DeclaredAttachment[] {
  const { id, type, is_paid: isPaid } = attachment;
  const paid = isPaid === undefined ? {} : { is_paid: isPaid };
  const file = media.get(attachment);
  if (file !== undefined) {
    // Assumed: `video` and `audio`, in addition to the documented `image` (CONTENT-11).
    const kind = file.content_type.slice(0, file.content_type.indexOf('/'));
    return [{ file: addWishes(file, attachment, path, filler), type: kind, ...paid }];
  }
  if (id === undefined || type === undefined) return [];
  return [
    { id: filler.fillMediaId(id, [...path, 'id']), type: filler.fill(type, [...path, 'type']), ...paid },
  ];
}

/** The file with what one account wishes about its media. */
function addWishes(file: MediaFile, attachment: WrittenAttachment, path: Path, filler: Filler): MediaFile {
  const { name, content_type: contentType, duration, fan, export_fan_id: fanId } = attachment;
  const lists = (['rf_guest', 'rf_partner', 'rf_tag'] as const).flatMap((key) => {
    const ids = attachment[key] ?? [];
    const filled = ids.map((id, position) => filler.fillId(id, [...path, key, position]));
    return filled.length === 0 ? [] : [[key, filled] as const];
  });
  const wishes: MediaWishes = {
    ...(name === undefined ? {} : { name }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
    ...(duration === undefined ? {} : { duration }),
    ...(fan === undefined ? {} : { fan: filler.fillLink(fan, [...path, 'fan']) }),
    ...(fanId === undefined ? {} : { export_fan_id: filler.fillId(fanId, [...path, 'export_fan_id']) }),
    ...Object.fromEntries(lists),
  };
  if (Object.keys(wishes).length === 0) return file;
  // Without a digest, nothing is compared.
  const digest = file.digest === '' ? '' : mediaPrint(file.digest, wishesDigest(wishes));
  return { ...file, wishes, digest };
}

/** Media and fan lists belong to one account (CONTENT-14). Files are uploaded to each account. */
function refuseSharedIds({ written, source, path }: WrittenResource, report: Report): void {
  const check = (code: 'shared-attachment' | 'shared-list', below: Path, id: string | undefined) => {
    const message =
      'This id belongs to one account, but the resource has several. Set a variable for each account, and write "{{variable}}".';
    if (id !== undefined && !hasPlaceholder(id))
      report.error(code, message, source.placeOf([...path, ...below, 'id']));
  };
  for (const [index, { attachments = [] }] of (written.messages ?? []).entries())
    for (const [position, { id }] of attachments.entries())
      check('shared-attachment', ['messages', index, 'attachments', position], id);
  for (const [index, { options }] of (written.audience_filters ?? []).entries())
    for (const [position, { id }] of (options?.lists ?? []).entries())
      check('shared-list', ['audience_filters', index, 'options', 'lists', position], id);
}
