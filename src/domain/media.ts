import { digest } from './digest.ts';
import type { MediaId } from './ids.ts';
import type {
  DeclaredAttachment,
  MediaFile,
  MediaWishes,
  CampaignContent,
  BroadcastContent,
} from './content.ts';
import type { ResolvedAccount } from './resource.ts';

/** Checks a file, by its path in the workspace. Never rejects because of the file: its problems are parts of a sentence. */
export type ExamineMedia = (
  path: string,
  wishes?: Pick<MediaWishes, 'name' | 'content_type'>,
) => Promise<MediaFile | { readonly problems: readonly string[] }>;

type Content = CampaignContent | BroadcastContent;

/** The distinct files of a content. */
export function listFiles({ messages }: Content): readonly MediaFile[] {
  const files = new Map<string, MediaFile>();
  for (const { attachments = [] } of messages)
    for (const attachment of attachments)
      if (!('id' in attachment) && !files.has(attachment.file.digest))
        files.set(attachment.file.digest, attachment.file);
  return [...files.values()];
}

/** A content with an id for each file. If `idOf` returns null, the file is unchanged. */
export function withMediaIds<Of extends Content>(content: Of, idOf: (file: MediaFile) => string | null): Of {
  if (listFiles(content).length === 0) return content;
  const filled = (attachment: DeclaredAttachment): DeclaredAttachment => {
    const id = 'id' in attachment ? null : idOf(attachment.file);
    return id === null ? attachment : { id, ...attachment };
  };
  const messages = content.messages.map((message) =>
    message.attachments === undefined
      ? message
      : { ...message, attachments: message.attachments.map(filled) },
  );
  return { ...content, messages };
}

/** All keys, in the order in which they are shown. */
export const WISH_KEYS = [
  'name',
  'content_type',
  'duration',
  'fan',
  'export_fan_id',
  'rf_guest',
  'rf_partner',
  'rf_tag',
] as const satisfies readonly (keyof MediaWishes)[];

const SEPARATOR = '+';

/** The fingerprint of a file's bytes together with its wishes: other wishes are another media. Empty where nothing is compared. */
export function mediaPrint(bytesPrint: string, wishes: string | undefined): string {
  return wishes === undefined || bytesPrint === '' ? bytesPrint : `${bytesPrint}${SEPARATOR}${wishes}`;
}

/** The fingerprint of the bytes alone. */
export function digestBytes(print: string): string {
  return print.split(SEPARATOR)[0] ?? '';
}

/** Lists in which the order does not matter. */
const LISTS = ['rf_guest', 'rf_partner', 'rf_tag'] as const;

/** Tells whether two uploads want the same file for the same use. Undefined without wishes. */
export function wishesDigest(wishes: MediaWishes | undefined): string | undefined {
  if (wishes === undefined || Object.keys(wishes).length === 0) return undefined;
  const sorted = Object.fromEntries(
    LISTS.flatMap((key) => (wishes[key] === undefined ? [] : [[key, wishes[key].toSorted()]])),
  );
  return digest({ ...wishes, ...sorted }).slice(0, 16);
}

export type Uploaded =
  /** `earlier`: uploaded before this run. */
  | { readonly kind: 'uploaded'; readonly mediaId: MediaId; readonly earlier: boolean }
  /** `denied`: the key was refused, so other uploads would fail, too. */
  | { readonly kind: 'failed'; readonly message: string; readonly denied: boolean }
  /** `stopped`: by an interrupt. `unknown`: it may have succeeded. */
  | { readonly kind: 'stopped' | 'unknown'; readonly message: string };

/** Uploads a file to an account's vault, unless it is there. Never rejects because of the service or the file. */
export type UploadMedia = (account: ResolvedAccount, file: MediaFile) => Promise<Uploaded>;

/** Uploads for one round of changes, until `stop` is aborted. Its reason explains why. */
export type BeginUploads = (stop: AbortSignal) => UploadMedia;
