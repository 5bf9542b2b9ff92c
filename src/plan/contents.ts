import type { Change } from '../domain/change.ts';
import type { DeclaredAttachment, DeclaredMessage } from '../domain/message.ts';
import type { PlannedAttachment, PlannedContent, PlannedMessage } from '../domain/plan-facts.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';

/** What the files declare, once for all accounts of a resource. */
export interface Contents {
  readonly contents: PlannedContent[];
  /** By account: the variables that the contents name. */
  readonly variables: Record<string, Record<string, string>>;
  /** The content of a change, or undefined if no file declares it. */
  readonly indexOf: (change: Change) => number | undefined;
}

/** The resources of these changes as they are written. A resource that no change is about is left out. */
export function collectContents(changes: readonly Change[], declared: readonly Declared[]): Contents {
  const byAddress = new Map(declared.map((resource) => [formatAddress(resource.address), resource]));
  const byPlace = new Map<string, { readonly index: number; readonly names: readonly string[] }>();
  const contents: PlannedContent[] = [];
  const variables: Record<string, Record<string, string>> = {};
  const indexes = new Map<Declared, number>();
  for (const { address } of changes) {
    const resource = byAddress.get(formatAddress(address));
    if (resource === undefined || indexes.has(resource)) continue;
    const { file, line, column } = resource.source;
    const place = `${file}\n${line}\n${column}`;
    let known = byPlace.get(place);
    if (known === undefined) {
      const content = asWritten(resource);
      known = { index: contents.length, names: resource.written === undefined ? [] : namesIn(content) };
      contents.push(content);
      byPlace.set(place, known);
    }
    indexes.set(resource, known.index);
    const { account } = resource.address;
    for (const name of known.names) {
      const value = resource.written?.variables.get(name);
      if (value !== undefined) (variables[account] ??= {})[name] = value;
    }
  }
  return {
    contents,
    variables,
    indexOf: ({ address }) => {
      const resource = byAddress.get(formatAddress(address));
      return resource === undefined ? undefined : indexes.get(resource);
    },
  };
}

function asWritten(resource: Declared): PlannedContent {
  const { kind, address, source, target, timezone, content, written } = resource;
  const { file, line } = source;
  const filters = written?.audience_filters ?? content.audience_filters;
  const messages = written?.messages ?? content.messages;
  return {
    kind,
    name: address.name,
    file,
    line,
    status: target,
    timezone,
    ...(resource.kind === 'broadcast'
      ? { scheduled_at: resource.scheduledAtUtc }
      : { trigger: resource.content.trigger, action: resource.content.action }),
    ...(content.rules === undefined ? {} : { rules: { ...content.rules } }),
    audience_filters: [...filters],
    messages: messages.map(plannedMessage),
  };
}

/** Built key by key: V8 gives each object that conditional spreads made a hidden class of its own. */
function plannedMessage(message: DeclaredMessage): PlannedMessage {
  const { text, price_gross: price, delay_sec: delay, attachments, text_is_paid: isPaid } = message;
  const tagged = message.tagged_platform_account_ids;
  const planned: { -readonly [Key in keyof PlannedMessage]: PlannedMessage[Key] } = {};
  if (text !== undefined) planned.text = text;
  if (price !== undefined) planned.price_gross = price;
  if (delay !== undefined) planned.delay_sec = delay;
  if (isPaid !== undefined) planned.text_is_paid = isPaid;
  if (attachments !== undefined) planned.attachments = attachments.map(plannedAttachment);
  if (tagged !== undefined) planned.tagged_platform_account_ids = [...tagged];
  return planned;
}

function plannedAttachment(attachment: DeclaredAttachment): PlannedAttachment {
  const { type, is_paid: isPaid, file } = attachment;
  return {
    type,
    ...(isPaid === undefined ? {} : { is_paid: isPaid }),
    ...('id' in attachment ? { id: attachment.id } : {}),
    ...(file === undefined ? {} : { file: file.path, size: file.size }),
  };
}

/** The variables that a content names, each once. */
function namesIn({ audience_filters: filters, messages }: PlannedContent): readonly string[] {
  const text = JSON.stringify([filters, messages]);
  return [...new Set([...text.matchAll(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g)].map(([, name]) => name ?? ''))];
}
