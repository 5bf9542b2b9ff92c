import type { DeclaredFilter } from '../domain/audience.ts';
import type { DeclaredAttachment, DeclaredMessage, MediaFile, MediaWishes } from '../domain/message.ts';
import type { Declared, DeclaredBroadcast, DeclaredCampaign } from '../domain/resource.ts';
import { Filler } from './fill.ts';
import type { Report } from './findings.ts';
import { readIgnore } from './ignore.ts';
import type { Outside } from './outside.ts';
import type { WrittenResource } from './resources.ts';
import { scheduledHour, writtenEnd } from './schedule.ts';
import type { WrittenFileAttachment, WrittenAttachment, WrittenMessage } from './schema.ts';
import type { WorkspaceDraft } from './workspace.ts';
import { mediaPrint, wishesDigest } from '../domain/media.ts';

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
  const isShared = aliases.length > 1;
  // Content that does not depend on the account is built once, and shared.
  let same: Filled | null = null;
  let unfilled: Filled | null = null;
  const build = prepare(resource, ignore);
  return aliases.map((alias) => {
    const variables = directory?.accounts.get(alias) ?? new Map<string, string>();
    const filler = new Filler(alias, variables, isShared, report);
    const filled: Filled = same ?? fillContent(resource, outside, filler);
    report.addFindings(source, path, filler.found.list);
    if (!filler.used) {
      same = filled;
      return { declared: build(alias, filled), resource };
    }
    unfilled ??= fillContent(resource, outside, new Filler(alias, null, isShared, report));
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
    audience_filters: filler.fill(written.audience_filters ?? [], ['audience_filters']),
    messages: (written.messages ?? []).map((message, index) => fillMessage(message, index, outside, filler)),
  };
}

function fillMessage(
  written: WrittenMessage,
  index: number,
  outside: Outside,
  filler: Filler,
): DeclaredMessage {
  const path = ['messages', index];
  const { text_file: reference, attachments, ...filled } = filler.fill(written, path);
  const message: DeclaredMessage = { ...filled };
  const textFile = outside.texts.get(index);
  if (textFile !== undefined) message.text = filler.fillTextFile(textFile);
  if (attachments !== undefined)
    message.attachments = attachments.flatMap((attachment, position) =>
      makeAttachment(attachment, outside.media.get(`${index}/${position}`)),
    );
  const couldSpeak = textFile !== undefined || (written.text ?? '').trim() !== '';
  if (couldSpeak && message.text?.trim() === '' && (attachments ?? []).length === 0) {
    const advice =
      'The text is empty after its variables were filled in. Write a text, or add an attachment.';
    filler.found.error('text-missing', [...path, reference === undefined ? 'text' : 'text_file'], advice);
  }
  return message;
}

/** Empty if its file was refused, which is reported. */
function makeAttachment(attachment: WrittenAttachment, file: MediaFile | undefined): DeclaredAttachment[] {
  if (!('file' in attachment)) return [attachment];
  if (file === undefined) return [];
  const { is_paid: isPaid } = attachment;
  const paid = isPaid === undefined ? {} : { is_paid: isPaid };
  // Assumed: `video` and `audio`, in addition to the documented `image` (CONTENT-11).
  const kind = file.content_type.slice(0, file.content_type.indexOf('/'));
  return [{ file: addWishes(file, attachment), type: kind, ...paid }];
}

/** The file with what one account wishes about its media. */
function addWishes(file: MediaFile, attachment: WrittenFileAttachment): MediaFile {
  const { file: _file, is_paid: _isPaid, ...members } = attachment;
  const isWish = ([, value]: [string, unknown]) => !(Array.isArray(value) && value.length === 0);
  const wishes: MediaWishes = Object.fromEntries(Object.entries(members).filter(isWish));
  if (Object.keys(wishes).length === 0) return file;
  // Without a digest, nothing is compared.
  const digest = file.digest === '' ? '' : mediaPrint(file.digest, wishesDigest(wishes));
  return { ...file, wishes, digest };
}
