import type { AudienceFilter } from '../domain/audience.ts';
import type { Message } from '../domain/message.ts';
import type { Declared, DeclaredBroadcast, DeclaredCampaign } from '../domain/resource.ts';
import type { AccountDirectory } from './accounts.ts';
import type { WrittenFilter, WrittenMessage } from './content-shapes.ts';
import { Filler } from './fill.ts';
import { problem, type Finding, type Report } from './findings.ts';
import type { WrittenResource } from './resources.ts';
import { scheduledHour } from './rules/broadcast.ts';
import { endHour, type WithEnd } from './rules/end.ts';
import { tidyText } from './text.ts';
import type { TextFile } from './text-files.ts';
import { hasPlaceholder } from './variables.ts';

/** Texts out of files, by the index of their message. */
export type Texts = ReadonlyMap<number, TextFile>;

/** One resource on one account, still tied to where it was written. */
export interface Expanded {
  readonly declared: Declared;
  readonly resource: WrittenResource;
}

interface Filled {
  readonly audience_filters: AudienceFilter[];
  readonly messages: Message[];
}

/** Makes one `Declared` for each account, with its variables filled in. */
export function expandResource(
  resource: WrittenResource,
  texts: Texts,
  directory: AccountDirectory,
  report: Report,
): Expanded[] {
  const { aliases, source, path } = resource;
  if (aliases.length > 1) report.addFindings(source, path, sharedIds(resource));
  // What does not depend on the account is made once: many accounts share one content.
  let same: Filled | null = null;
  const build = resource.kind === 'campaign' ? campaignBuilder(resource) : broadcastBuilder(resource);
  return aliases.map((alias) => {
    const filler = new Filler(alias, directory.accounts.get(alias) ?? new Map());
    const filled: Filled = same ?? fillContent(resource, texts, filler);
    if (!filler.used) same = filled;
    if (directory.complete) {
      report.addFindings(source, path, filler.findings);
      report.add(...filler.diagnostics);
    }
    return { declared: build(alias, filled), resource };
  });
}

type Build = (account: string, filled: Filled) => Declared;

function campaignBuilder(resource: WrittenResource & { readonly kind: 'campaign' }): Build {
  const { written, place: source } = resource;
  const rest = { ...described(written), rules: withUtcEnd(written.rules) };
  return (account, filled): DeclaredCampaign => ({
    kind: 'campaign',
    address: { account, kind: 'campaign', name: rest.name },
    source,
    renamedFrom: rest.renamedFrom,
    target: written.status ?? 'active',
    content: {
      trigger: written.trigger,
      action: written.action,
      ...(rest.rules === undefined ? {} : { rules: rest.rules }),
      ...filled,
    },
    replace: written.replace ?? 'pause_first',
    oldQueue: written.old_queue ?? 'keep',
  });
}

function broadcastBuilder(resource: WrittenResource & { readonly kind: 'broadcast' }): Build {
  const { written, place: source } = resource;
  const rest = { ...described(written), rules: withUtcEnd(written.rules) };
  const hour = scheduledHour(written);
  // Without an hour there is an error on the report, and nobody sees this.
  const scheduledAtUtc = hour?.kind === 'hour' ? hour.utc : '';
  return (account, filled): DeclaredBroadcast => ({
    kind: 'broadcast',
    address: { account, kind: 'broadcast', name: rest.name },
    source,
    renamedFrom: rest.renamedFrom,
    target: written.status ?? 'scheduled',
    content: { ...(rest.rules === undefined ? {} : { rules: rest.rules }), ...filled },
    scheduledAtUtc,
  });
}

/** One letter can be written in two ways; what is compared and sent is the composed one (rulebook 2.1.4). */
function described(written: { name: string; renamed_from?: string | undefined }): {
  name: string;
  renamedFrom: string | null;
} {
  return { name: written.name.normalize('NFC'), renamedFrom: written.renamed_from?.normalize('NFC') ?? null };
}

/** The rules as they are sent: the end in UTC, and its zone left out. */
function withUtcEnd<Rules extends NonNullable<WithEnd['rules']>>(
  rules: Rules | undefined,
): Omit<Rules, 'end_at_timezone'> | undefined {
  if (rules === undefined) return undefined;
  const { end_at_timezone: _zone, ...rest } = rules;
  const end = endHour({ rules });
  return end?.kind === 'hour' ? { ...rest, end_at: end.utc } : rest;
}

function fillContent({ written }: WrittenResource, texts: Texts, filler: Filler): Filled {
  return {
    audience_filters: (written.audience_filters ?? []).map((filter, index) =>
      fillFilter(filter, index, filler),
    ),
    messages: (written.messages ?? []).map((message, index) =>
      fillMessage(message, index, texts.get(index), filler),
    ),
  };
}

function fillFilter(filter: WrittenFilter, index: number, filler: Filler): AudienceFilter {
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
  textFile: TextFile | undefined,
  filler: Filler,
): Message {
  const {
    text_file: reference,
    text: inline,
    attachments,
    tagged_platform_account_ids: tagged,
    ...rest
  } = written;
  const path = ['messages', index];
  const message: Message = { ...rest };
  if (inline !== undefined)
    message.text = inline === null ? null : tidyText(filler.fill(inline, path, 'text'));
  if (textFile !== undefined) message.text = filler.fillTextFile(textFile);
  if (attachments !== undefined) {
    message.attachments = attachments.map((attachment, position) => {
      const below = [...path, 'attachments', position];
      const { id, type } = attachment;
      return { ...attachment, id: filler.fillId(id, below, 'id'), type: filler.fill(type, below, 'type') };
    });
  }
  if (tagged !== undefined) {
    const below = [...path, 'tagged_platform_account_ids'];
    message.tagged_platform_account_ids = tagged.map((id, position) => filler.fillId(id, below, position));
  }
  const couldSpeak = textFile !== undefined || (typeof inline === 'string' && inline.trim() !== '');
  if (couldSpeak && message.text?.trim() === '' && (attachments ?? []).length === 0) {
    const advice = 'Nothing is left of this text, and there is no attachment: write a text.';
    filler.findings.push(
      problem('text-missing', [...path, reference === undefined ? 'text' : 'text_file'], advice),
    );
  }
  return message;
}

/** Media and fan lists belong to one account each (rulebook 2.2.9). */
function sharedIds({ written }: WrittenResource): Finding[] {
  const media = (written.messages ?? []).flatMap(({ attachments = [] }, index) =>
    attachments.flatMap(({ id }, position) =>
      hasPlaceholder(id)
        ? []
        : [{ code: 'shared-attachment', path: ['messages', index, 'attachments', position, 'id'] }],
    ),
  );
  const lists = (written.audience_filters ?? []).flatMap(({ options }, index) =>
    (options?.lists ?? []).flatMap(({ id }, position) =>
      id === undefined || hasPlaceholder(id)
        ? []
        : [{ code: 'shared-list', path: ['audience_filters', index, 'options', 'lists', position, 'id'] }],
    ),
  );
  const message =
    'This id belongs to one account, but several are meant: set a variable on each and write "{{variable}}".';
  return [...media, ...lists].map(({ code, path }) => problem(code, path, message));
}
