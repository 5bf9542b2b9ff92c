import type { DeclaredFilter } from '../domain/audience.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import { idShape } from '../domain/ids.ts';
import { mediaPrint, wishesDigest } from '../domain/media.ts';
import type { DeclaredAttachment, DeclaredMessage, MediaFile, MediaWishes } from '../domain/message.ts';
import type { Declared, DeclaredBroadcast, DeclaredCampaign } from '../domain/resource.ts';
import type { Findings, Path, Report } from './findings.ts';
import { readIgnore } from './ignore.ts';
import type { Outside, TextFile } from './outside.ts';
import type { WrittenResource } from './resources.ts';
import { resolveEnd, resolveSchedule } from './schedule.ts';
import type { WrittenAttachment, WrittenFileAttachment, WrittenMessage } from './schema.ts';
import { hasPlaceholder, TEXT_LENGTH_MAX, TextPlaces, tidyText } from './text.ts';
import type { WorkspaceDraft } from './workspace.ts';

/** One resource for one account, with its place in the files. */
export interface Expanded {
  readonly declared: Declared;
  readonly origin: Origin;
}

/** Where a resource is written. What is written there is not kept: a large workspace would hold all of it twice. */
export interface Origin extends Pick<WrittenResource, 'source' | 'path' | 'place'> {
  /** Indexes of the messages of which the text is in its own file. */
  readonly textFiles: readonly number[];
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
  const { aliases, source, path, place } = resource;
  const origin: Origin = { source, path, place, textFiles: [...outside.texts.keys()] };
  const isShared = aliases.length > 1;
  const found = report.within(source, path);
  // Content that does not depend on the account is built once, and shared.
  let same: Filled | null = null;
  let unfilled: Filled | null = null;
  const build = prepare(resource, ignore);
  return aliases.map((alias) => {
    const variables = directory?.accounts.get(alias) ?? new Map<string, string>();
    const filler = new Filler(alias, variables, isShared, found, report);
    const filled: Filled = same ?? fillContent(resource, outside, filler);
    if (!filler.used) {
      same = filled;
      return { declared: build(alias, filled), origin };
    }
    unfilled ??= fillContent(resource, outside, new Filler(alias, null, isShared, found, report));
    return { declared: { ...build(alias, filled), written: { ...unfilled, variables } }, origin };
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
  const time = resolveSchedule(resource.written);
  return (account, filled): DeclaredBroadcast => ({
    kind: 'broadcast',
    address: { account, kind, name },
    source,
    ...shared,
    timezone: zone ?? written.rules?.end_at_timezone ?? null,
    target,
    content: { ...(rules === undefined ? {} : { rules }), ...filled },
    // Without a time there is an error, so this value is never used.
    scheduledAtUtc: time?.kind === 'time' ? time.utc : '',
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
  const end = resolveEnd(rules);
  return end?.kind === 'time' ? { ...rest, end_at: end.utc } : rest;
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
  // Not a copy of the rest: each message would get a hidden class of its own in V8 with its next member.
  const { text_file: reference, attachments, ...filled } = filler.fill(written, path);
  const message: DeclaredMessage = filled;
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
  return { ...file, wishes, digest: mediaPrint(file.digest, wishesDigest(wishes)) };
}

/** What a value with variables must be once they are filled in. */
interface Part {
  readonly isRight?: (filled: string) => boolean;
  readonly what?: string;
  /** Belongs to one account (CONTENT-14). Files are uploaded to each account. */
  readonly shared?: 'shared-attachment' | 'shared-list';
}

const TEXT: Part = {};

const ID: Part = { what: 'an id', isRight: (filled) => idShape.safeParse(filled).success };

/** The values that may have variables, by their last two keys. */
const PARTS: Readonly<Record<string, Part>> = {
  'messages.text': TEXT,
  'messages.tagged_platform_account_ids': ID,
  // It may be any text without spaces (CONTENT-8).
  'attachments.id': {
    what: 'an id',
    isRight: (filled) => /^\S+$/.test(filled),
    shared: 'shared-attachment',
  },
  'attachments.type': TEXT,
  // Only the service knows the host of the platform, and takes 2048 characters (VAULT-16).
  'attachments.fan': {
    what: 'a link such as https://HOST/NAME',
    isRight: (filled) => /^https?:\/\/\S{1,2040}$/.test(filled),
  },
  'attachments.export_fan_id': ID,
  'attachments.rf_guest': ID,
  'attachments.rf_partner': ID,
  'attachments.rf_tag': ID,
  'lists.name': TEXT,
  'lists.id': { ...ID, shared: 'shared-list' },
};

const SHARED_ID =
  'This id belongs to one account, but the resource has several. Set a variable for each account, and write "{{variable}}".';

/** Fills one account's variables into one resource, and collects the problems. */
class Filler {
  readonly #alias: string;
  /** Null leaves them as they are written. */
  readonly #vars: ReadonlyMap<string, string> | null;
  readonly #isShared: boolean;
  readonly found: Findings;
  readonly #report: Report;
  /** True after a value depended on the account. */
  used = false;

  constructor(
    alias: string,
    vars: ReadonlyMap<string, string> | null,
    isShared: boolean,
    found: Findings,
    report: Report,
  ) {
    this.found = found;
    this.#alias = alias;
    this.#vars = vars;
    this.#isShared = isShared;
    this.#report = report;
  }

  /** A copy of the value at `path`, with the variables of all its parts filled in. */
  fill<Value>(value: Value, path: Path): Value;
  fill(value: unknown, path: Path): unknown {
    if (typeof value === 'string') return this.#fillPart(value, path);
    if (Array.isArray(value)) return value.map((item, index) => this.fill<unknown>(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    const filled: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) filled[key] = this.fill(member, [...path, key]);
    return filled;
  }

  /** A text file has places of its own. */
  fillTextFile({ file, text }: TextFile): string {
    const filled = this.#fillText(text, true, ({ severity, code, message, offset }) =>
      this.#report[severity](code, message, new TextPlaces(file, text).at(offset)),
    );
    return tidyText(filled);
  }

  #fillPart(text: string, path: Path): string {
    const name = path
      .filter((step) => typeof step === 'string')
      .slice(-2)
      .join('.');
    const part = PARTS[name];
    if (part === undefined) return text;
    const { isRight, what, shared } = part;
    if (this.#isShared && shared !== undefined && !hasPlaceholder(text))
      this.found.error(shared, path, SHARED_ID);
    const isMessage = name === 'messages.text';
    let isFilled = this.#vars !== null;
    const filled = this.#fillText(text, isMessage, ({ severity, code, message }) => {
      isFilled = false;
      this.found[severity](code, path, message);
    });
    // The shape has seen only the variable.
    if (isFilled && isRight !== undefined && !isRight(filled)) {
      const message = `For account "${this.#alias}" this is "${filled}", which is not ${what}. Correct it, or its variable.`;
      this.found.error('invalid-id', path, message);
    }
    return isMessage ? tidyText(filled) : filled;
  }

  /** In a message, braces or brackets around one word may be meant as a variable. */
  #fillText(text: string, isMessage: boolean, tell: (problem: FillProblem) => void): string {
    if (this.#vars === null) return text;
    const near = isMessage ? findNearPlaceholder(text, this.#vars) : null;
    if (near !== null) tell(near);
    if (!hasPlaceholder(text)) return text;
    this.used = true;
    return fillVariables(text, this.#alias, this.#vars, tell);
  }
}

/** `{{name}}`, the escape `\{{`, or a `{{` that is neither. */
const PLACEHOLDER = /(\\)?\{\{(?:\s*([A-Za-z_]\w*)\s*\}\})?/g;

/** Something wrong or odd in a text with variables, at an offset. */
interface FillProblem {
  readonly severity: 'error' | 'warning';
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly offset: number;
}

/** Fills an account's variables into a text. `\{{` becomes a literal `{{`. */
export function fillVariables(
  text: string,
  alias: string,
  vars: ReadonlyMap<string, string>,
  tell: (problem: FillProblem) => void,
): string {
  let length = text.length;
  return text.replace(
    PLACEHOLDER,
    (whole: string, escape: string | undefined, variable: string | undefined, offset: number) => {
      if (escape !== undefined) return whole.slice(1);
      const value = variable === undefined ? undefined : vars.get(variable);
      const wasTooLong = length > TEXT_LENGTH_MAX;
      length += value?.length ?? 0;
      if (value !== undefined && length <= TEXT_LENGTH_MAX) return value;
      const place = `accounts.${alias}.vars.${variable ?? ''}`;
      if (variable === undefined) {
        const message = 'Incomplete placeholder. Write {{name}}, or \\{{ for a literal "{{".';
        tell({ severity: 'error', code: 'variable-syntax', message, offset });
      } else if (value === undefined) {
        const message = `Account "${alias}" does not have the variable "${variable}". Set ${place}, or correct the name.`;
        tell({ severity: 'error', code: 'unset-variable', message, offset });
        // Reported once, because all later variables are too long as well.
      } else if (!wasTooLong) {
        const message = `With the variables of account "${alias}" this is longer than ${TEXT_LENGTH_MAX} characters. Shorten it, or ${place}.`;
        tell({ severity: 'error', code: 'too-long', message, offset });
      }
      return whole;
    },
  );
}

/** `{name}` and `${name}`, or `[name]`. */
const NEAR = /(?<!\{)\$?\{([A-Za-z_]\w*)\}(?!\})|\[([A-Za-z_]\w*)\]/g;

/**
 * The first word in single braces, which no text needs, or in brackets that is a variable of the account: the forms of
 * variables in other programs.
 */
function findNearPlaceholder(text: string, vars: ReadonlyMap<string, string>): FillProblem | null {
  if (!/[{[]/.test(text)) return null;
  for (const { 1: braced, 2: bracketed = '', index: offset } of text.matchAll(NEAR)) {
    if (braced === undefined && !vars.has(bracketed)) continue;
    const word = braced ?? bracketed;
    const message = `"${word}" in single braces or brackets is sent as it is written. If you mean a variable, write {{${word}}}.`;
    return { severity: 'warning', code: 'looks-like-variable', message, offset };
  }
  return null;
}
