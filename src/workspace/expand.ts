import type { DiagnosticCode } from '../domain/codes.ts';
import { compareText } from '../domain/diagnostic.ts';
import { FieldPath } from '../domain/field-path.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { hasCode } from '../domain/herald-error.ts';
import { idShape } from '../domain/ids.ts';
import { type ExamineMedia, mediaPrint, wishesDigest } from '../domain/media.ts';
import type { DeclaredAttachment, DeclaredMessage, MediaFile, MediaWishes } from '../domain/content.ts';
import type { Files } from '../domain/ports.ts';
import type { Declared, SourcePlace } from '../domain/resource.ts';
import { isLfsPointer } from '../domain/text.ts';
import type { Findings, Path, Report } from './findings.ts';
import { resolveKey } from './schedule.ts';
import type {
  WrittenAttachment,
  WrittenBroadcast,
  WrittenCampaign,
  WrittenFileAttachment,
  WrittenMessage,
} from './schema.ts';
import {
  disguisesIn,
  placeOffsets,
  resolveInside,
  TEXT_LENGTH_MAX,
  tidyText,
  unprintableOffset,
} from './text.ts';
import type { WorkspaceDraft } from './workspace.ts';
import type { YamlSource } from './yaml.ts';

/** A resource as written, with its place and accounts. */
export type WrittenResource = {
  readonly source: YamlSource;
  /** From the file's root, such as `campaigns[3]`. */
  readonly path: Path;
  readonly place: SourcePlace;
  readonly aliases: readonly string[];
} & (
  | { readonly kind: 'campaign'; readonly written: WrittenCampaign }
  /** `atOnce`: it has no schedule, and is sent at once. */
  | { readonly kind: 'broadcast'; readonly written: WrittenBroadcast; readonly atOnce: boolean }
);

type Filled = Pick<Declared['content'], 'audience_filters' | 'messages'>;

interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** Texts and media from other files. What was refused is missing here, and reported. */
interface Outside {
  /** By the index of the message. */
  readonly texts: ReadonlyMap<number, TextFile>;
  /** By the indexes of the message and of the attachment: `0/1`. */
  readonly media: ReadonlyMap<string, MediaFile>;
}

/** Why a file cannot be used. Reported wherever the file is named. */
interface Unusable {
  readonly code: DiagnosticCode;
  readonly problems: readonly string[];
}

function refuse(code: DiagnosticCode, ...problems: string[]): Unusable {
  return { code, problems };
}

/**
 * Makes one `Declared` per account of each written resource, with its variables filled in. `textFiles` are the indexes of the
 * messages of which the text is in its own file.
 */
export function prepareExpansion(
  files: Files,
  examine: ExamineMedia | undefined,
  draft: Pick<WorkspaceDraft, 'directory' | 'ignore'> | null,
  report: Report,
) {
  const readFiles = readOutside(files, examine, report);
  const ignore = readIgnore(draft?.ignore ?? []);
  return async (resource: WrittenResource) => {
    const { aliases, source, path } = resource;
    const outside = await readFiles(resource);
    const [isShared, found] = [aliases.length > 1, report.within(source, path)];
    // Content that does not depend on the account is built once, and shared.
    let same: Filled | null = null;
    let unfilled: Filled | null = null;
    const build = prepare(resource, ignore);
    const own = aliases.map((alias): Declared => {
      const variables = draft?.directory.accounts.get(alias) ?? new Map<string, string>();
      const filling: Filling = { alias, variables, isShared, found, report, isUsed: false };
      const filled = same ?? fillContent(resource, outside, filling);
      if (!filling.isUsed) {
        same = filled;
        return build(alias, filled);
      }
      unfilled ??= fillContent(resource, outside, { ...filling, variables: null });
      return { ...build(alias, filled), written: { ...unfilled, variables } };
    });
    return { own, textFiles: [...outside.texts.keys()] };
  };
}

/** Normalised, sorted and distinct paths: `messages[0].text` becomes `messages.0.text`. */
function readIgnore(...lists: readonly (readonly string[])[]): readonly string[] {
  const paths = lists.flat().map((path) => new FieldPath(path).steps.join('.'));
  return [...new Set(paths)].sort(compareText);
}

/** A reader of the texts and media files of messages. Each is read once, even if several messages use it. */
function readOutside(files: Files, examine: ExamineMedia | undefined, report: Report) {
  const known = new Map<string, Promise<unknown>>();
  return async ({ source, path: base, place, written }: WrittenResource): Promise<Outside> => {
    const found = report.within(source, [...base, 'messages']);
    /** Files with the same path and the same `key` are read once. */
    const use = async <Value extends object>(
      at: Path,
      reference: string,
      key: string,
      read: (file: string) => Promise<Value | Unusable>,
    ): Promise<Value | null> => {
      const file = findInside(place.file, reference);
      if (typeof file === 'string') known.set(key + file, known.get(key + file) ?? read(file));
      const value = typeof file === 'string' ? ((await known.get(key + file)) as Value | Unusable) : file;
      if (!('problems' in value)) return value;
      for (const message of value.problems) found.error(value.code, at, message);
      return null;
    };
    const texts = new Map<number, TextFile>();
    const media = new Map<string, MediaFile>();
    for (const [index, { text_file: reference, attachments = [] }] of (written.messages ?? []).entries()) {
      if (reference !== undefined) {
        const read = (file: string) => readTextFile(files, file, report);
        const text = await use([index, 'text_file'], reference, '', read);
        if (text !== null) texts.set(index, text);
      }
      for (const [position, attachment] of attachments.entries()) {
        if (!('file' in attachment)) continue;
        const { name, content_type } = attachment;
        const read = (file: string) => readMedia(examine, file, { name, content_type });
        const at = [index, 'attachments', position, 'file'];
        const medium = await use(at, attachment.file, JSON.stringify([name, content_type]), read);
        if (medium !== null) media.set(`${index}/${position}`, medium);
      }
    }
    return { texts, media };
  };
}

function findInside(from: string, reference: string): string | Unusable {
  if (reference.includes('{{'))
    return refuse(
      'file-has-variable',
      'A file is the same for every account. Use variables only in texts and ids.',
    );
  const file = resolveInside(from, reference);
  const advice = 'Write a path inside it, relative to this file, with "/".';
  if (file === null) return refuse('path-outside', `"${reference}" is outside the workspace. ${advice}`);
  // Such as the state, or .env: the author of a pull request could send it to fans.
  const hidden = [from.split('/')[0] ?? '', ...reference.split('/')].find((step) => /^\.(?!\.?$)/.test(step));
  const message = `"${reference}" leads to ${hidden ?? ''}, and a name that begins with a dot is not for fans. Move or rename it.`;
  return hidden === undefined ? file : refuse('path-outside', message);
}

async function readTextFile(files: Files, file: string, report: Report): Promise<TextFile | Unusable> {
  const raw = await files.readText(file).catch((cause: unknown) => {
    if (hasCode(cause, 'path-outside')) return refuse('path-outside', cause.message);
    const advice = 'Check the path, which is relative to this file.';
    return refuse('text-file-unreadable', `Cannot read ${file}: ${fileProblem(cause)}. ${advice}`);
  });
  if (typeof raw !== 'string') return raw;
  const text = tidyText(raw.startsWith('\uFEFF') ? raw.slice(1) : raw);
  if (isLfsPointer(text))
    return refuse('not-text', `${file} is a Git LFS pointer, not the text. Fetch the file: git lfs pull`);
  if (unprintableOffset(text) !== -1) return refuse('not-text', `${file} is not text. Save it as UTF-8.`);
  if (text.length > TEXT_LENGTH_MAX)
    return refuse(
      'too-long',
      `${file} has ${text.length} characters; the limit is ${TEXT_LENGTH_MAX}. Shorten it.`,
    );
  for (const { code, message, part } of disguisesIn(text))
    report.warning(code, message, placeOffsets(file, text)(text.indexOf(part)));
  return { file, text };
}

async function readMedia(
  examine: ExamineMedia | undefined,
  path: string,
  wishes: Pick<MediaWishes, 'name' | 'content_type'>,
): Promise<MediaFile | Unusable> {
  if (examine === undefined)
    return refuse('media-not-read', `${path} cannot be used here. Set the id and type of the media instead.`);
  const examined = await examine(path, wishes);
  if (!('problems' in examined)) return examined;
  return refuse('media-file', ...examined.problems.map((problem) => `${path}: ${problem}.`));
}

/** A function that makes the resource of one account. What all accounts share is read once. */
function prepare(
  resource: WrittenResource,
  ignore: readonly string[],
): (account: string, filled: Filled) => Declared {
  const { kind, written, place: source } = resource;
  // A letter can have two Unicode spellings. The composed one is compared and sent (CONTENT-2).
  const name = written.name.normalize('NFC');
  const shared = {
    source,
    renamedFrom: written.renamed_from?.normalize('NFC') ?? null,
    protect: written.protect === true,
    ignore: written.ignore === undefined ? ignore : readIgnore(ignore, written.ignore),
  };
  const zone = written.rules?.end_at_timezone ?? null;
  // Each is one literal: a copy of an object with more members takes over a kilobyte more.
  if (resource.kind === 'campaign') {
    const { trigger, action, status: target = 'active', replace = 'pause_first' } = resource.written;
    const rules = withUtcEnd(resource.written.rules);
    const { old_queue: oldQueue = 'keep' } = resource.written;
    return (account, { audience_filters, messages }) => ({
      kind: 'campaign',
      address: { account, kind, name },
      ...shared,
      timezone: zone,
      target,
      content:
        rules === undefined
          ? { trigger, action, audience_filters, messages }
          : { trigger, action, rules, audience_filters, messages },
      replace,
      oldQueue,
    });
  }
  const { status: target = 'scheduled', scheduled_at_timezone: timezone = zone } = resource.written;
  const rules = withUtcEnd(resource.written.rules);
  const time = resolveKey(written, 'scheduled_at');
  // Without a time there is an error, so this value is never used.
  const scheduledAtUtc = time?.kind === 'time' ? time.utc : '';
  return (account, { audience_filters, messages }) => ({
    kind: 'broadcast',
    address: { account, kind, name },
    ...shared,
    timezone,
    target,
    content: rules === undefined ? { audience_filters, messages } : { rules, audience_filters, messages },
    scheduledAtUtc,
    ...(resource.atOnce ? { atOnce: true } : {}),
  });
}

/** The rules to send: the end in UTC, without its zone. */
function withUtcEnd<Rules extends NonNullable<WrittenResource['written']['rules']>>(
  written: Rules | undefined,
): Omit<Rules, 'end_at_timezone'> | undefined {
  if (written === undefined) return undefined;
  const { end_at_timezone: _zone, ...rules } = written;
  const end = resolveKey(written, 'end_at');
  return end?.kind === 'time' ? { ...rules, end_at: end.utc } : rules;
}

function fillContent({ written }: WrittenResource, outside: Outside, filling: Filling): Filled {
  return {
    audience_filters: fill(written.audience_filters ?? [], ['audience_filters'], filling),
    messages: (written.messages ?? []).map((message, index) => fillMessage(message, index, outside, filling)),
  };
}

function fillMessage(
  written: WrittenMessage,
  index: number,
  outside: Outside,
  filling: Filling,
): DeclaredMessage {
  const path = ['messages', index];
  // Not a copy of the rest: each message would get a hidden class of its own in V8 with its next member.
  const { text_file: reference, attachments, ...filled } = fill(written, path, filling);
  const message: DeclaredMessage = filled;
  const textFile = outside.texts.get(index);
  if (textFile !== undefined) message.text = fillTextFile(textFile, filling);
  if (attachments !== undefined) {
    const made = attachments.flatMap((attachment, position) =>
      makeAttachment(attachment, outside.media.get(`${index}/${position}`)),
    );
    // A copy, because V8 keeps memory for sixteen more in an array that has grown.
    message.attachments = [...made];
  }
  const couldSpeak = textFile !== undefined || (written.text ?? '').trim() !== '';
  if (couldSpeak && message.text?.trim() === '' && (attachments ?? []).length === 0) {
    const advice =
      'The text is empty after its variables were filled in. Write a text, or add an attachment.';
    filling.found.error('text-missing', [...path, reference === undefined ? 'text' : 'text_file'], advice);
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

const ID: Part = { what: 'an id', isRight: (filled) => idShape.safeParse(filled).success };

/** The values that may have variables, by their last two keys. */
const PARTS: Readonly<Record<string, Part>> = {
  'messages.text': {},
  'messages.tagged_platform_account_ids': ID,
  // It may be any text without spaces (CONTENT-8).
  'attachments.id': {
    what: 'an id',
    isRight: (filled) => /^\S+$/.test(filled),
    shared: 'shared-attachment',
  },
  'attachments.type': {},
  // Only the service knows the host of the platform, and takes 2048 characters (VAULT-16).
  'attachments.fan': {
    what: 'a link such as https://HOST/NAME',
    isRight: (filled) => /^https?:\/\/\S{1,2040}$/.test(filled),
  },
  'attachments.export_fan_id': ID,
  'attachments.rf_guest': ID,
  'attachments.rf_partner': ID,
  'attachments.rf_tag': ID,
  'lists.name': {},
  'lists.id': { ...ID, shared: 'shared-list' },
};

const SHARED_ID =
  'This id belongs to one account, but the resource has several. Set a variable for each account, and write "{{variable}}".';

interface Filling {
  readonly alias: string;
  /** Null leaves them as they are written. */
  readonly variables: ReadonlyMap<string, string> | null;
  readonly isShared: boolean;
  readonly found: Findings;
  readonly report: Report;
  /** True after a value depended on the account. */
  isUsed: boolean;
}

/** A copy of the value at `path`, with the variables of all its parts filled in. */
function fill<Value>(value: Value, path: Path, filling: Filling): Value;
function fill(value: unknown, path: Path, filling: Filling): unknown {
  if (typeof value === 'string') return fillPart(value, path, filling);
  if (Array.isArray(value)) return value.map((item, index) => fill<unknown>(item, [...path, index], filling));
  if (typeof value !== 'object' || value === null) return value;
  const filled: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) filled[key] = fill(member, [...path, key], filling);
  return filled;
}

/** A text file has places of its own. */
function fillTextFile({ file, text }: TextFile, filling: Filling): string {
  const filled = fillText(text, true, filling, (severity, code, message, offset) =>
    filling.report[severity](code, message, placeOffsets(file, text)(offset)),
  );
  return tidyText(filled);
}

function fillPart(text: string, path: Path, filling: Filling): string {
  const name = path
    .filter((step) => typeof step === 'string')
    .slice(-2)
    .join('.');
  const part = PARTS[name];
  if (part === undefined) return text;
  const { isRight, what, shared } = part;
  const { found } = filling;
  if (filling.isShared && shared !== undefined && !text.includes('{{')) found.error(shared, path, SHARED_ID);
  const isMessage = name === 'messages.text';
  let isFilled = filling.variables !== null;
  const filled = fillText(text, isMessage, filling, (severity, code, message) => {
    isFilled = false;
    found[severity](code, path, message);
  });
  // The shape has seen only the variable.
  if (isFilled && isRight !== undefined && !isRight(filled)) {
    const message = `For account "${filling.alias}" this is "${filled}", which is not ${what}. Correct it, or its variable.`;
    found.error('invalid-id', path, message);
  }
  return isMessage ? tidyText(filled) : filled;
}

type Tell = (severity: 'error' | 'warning', code: DiagnosticCode, message: string, offset: number) => void;

/** `{{name}}`, the escape `\{{`, or a `{{` that is neither. */
const PLACEHOLDER = /(\\)?\{\{(?:\s*([A-Za-z_]\w*)\s*\}\})?/g;

/**
 * Fills an account's variables into a text. `\{{` becomes a literal `{{`. In a message, braces or brackets around one word may be
 * meant as a variable.
 */
function fillText(text: string, isMessage: boolean, filling: Filling, tell: Tell): string {
  const { alias, variables } = filling;
  if (variables === null) return text;
  if (isMessage) warnOfNearPlaceholder(text, variables, tell);
  if (!text.includes('{{')) return text;
  filling.isUsed = true;
  let length = text.length;
  return text.replace(PLACEHOLDER, (whole: string, escape?: string, name?: string, offset = 0) => {
    if (escape !== undefined) return whole.slice(1);
    const value = name === undefined ? undefined : variables.get(name);
    const wasTooLong = length > TEXT_LENGTH_MAX;
    length += value?.length ?? 0;
    if (value !== undefined && length <= TEXT_LENGTH_MAX) return value;
    const place = `accounts.${alias}.vars.${name ?? ''}`;
    if (name === undefined) {
      const message = 'Incomplete placeholder. Write {{name}}, or \\{{ for a literal "{{".';
      tell('error', 'variable-syntax', message, offset);
    } else if (value === undefined) {
      const message = `Account "${alias}" does not have the variable "${name}". Set ${place}, or correct the name.`;
      tell('error', 'unset-variable', message, offset);
      // Reported once, because all later variables are too long as well.
    } else if (!wasTooLong) {
      const message = `With the variables of account "${alias}" this is longer than ${TEXT_LENGTH_MAX} characters. Shorten it, or ${place}.`;
      tell('error', 'too-long', message, offset);
    }
    return whole;
  });
}

/** `{name}` and `${name}`, or `[name]`. */
const NEAR = /(?<!\{)\$?\{([A-Za-z_]\w*)\}(?!\})|\[([A-Za-z_]\w*)\]/g;

/** Other programs write `{name}` or `[name]`. One in brackets counts only if the account has the variable. */
function warnOfNearPlaceholder(text: string, variables: ReadonlyMap<string, string>, tell: Tell): void {
  for (const { 1: braced, 2: bracketed = '', index: offset } of text.matchAll(NEAR)) {
    if (braced === undefined && !variables.has(bracketed)) continue;
    const word = braced ?? bracketed;
    const message = `"${word}" in single braces or brackets is sent as it is written. If you mean a variable, write {{${word}}}.`;
    return tell('warning', 'looks-like-variable', message, offset);
  }
}
