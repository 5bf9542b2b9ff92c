import type { CampaignContent } from './campaign.ts';
import type { BroadcastContent } from './broadcast.ts';
import { digest } from './digest.ts';
import type { DeclaredAttachment, FileAttachment, MediaFile } from './message.ts';

/** The fingerprint of the bytes behind each media that the ledger knows, by `mediaKey`. */
export type MediaOnRecord = ReadonlyMap<string, string>;

export const NO_MEDIA: MediaOnRecord = new Map();

export function mediaKey(accountId: string, mediaId: string): string {
  return `${accountId}/${mediaId}`;
}

/** Declared by its file, and not yet known by an id. */
export function isFileAttachment(attachment: DeclaredAttachment): attachment is FileAttachment {
  return !('id' in attachment);
}

/** A file that may be uploaded, or everything that is wrong with it, as parts of a sentence. */
export type ExaminedMedia = MediaFile | { readonly problems: readonly string[] };

/** Looks at a file, by its path from the workspace's directory. Never rejects for what is wrong with it. */
export type ExamineMedia = (path: string) => Promise<ExaminedMedia>;

type Content = CampaignContent | BroadcastContent;

/** Every file that a content shows, each once. */
export function filesOf({ messages }: Content): readonly MediaFile[] {
  const files = new Map<string, MediaFile>();
  for (const { attachments = [] } of messages)
    for (const attachment of attachments)
      if (isFileAttachment(attachment) && !files.has(attachment.file.digest))
        files.set(attachment.file.digest, attachment.file);
  return [...files.values()];
}

/** The same content with an id beside each file; null of `idOf` leaves the file as it is. */
export function withMediaIds<Of extends Content>(content: Of, idOf: (file: MediaFile) => string | null): Of {
  if (filesOf(content).length === 0) return content;
  const filled = (attachment: DeclaredAttachment): DeclaredAttachment => {
    const id = isFileAttachment(attachment) ? idOf(attachment.file) : null;
    return id === null ? attachment : { id, ...attachment };
  };
  const messages = content.messages.map((message) =>
    message.attachments === undefined
      ? message
      : { ...message, attachments: message.attachments.map(filled) },
  );
  return { ...content, messages };
}

/** Fingerprint of a content. Of its files the bytes count, and not where they lie. */
export function contentDigest(content: Content): string {
  if (filesOf(content).length === 0) return digest(content);
  const messages = content.messages.map((message) =>
    message.attachments === undefined
      ? message
      : { ...message, attachments: message.attachments.map(withBytesOnly) },
  );
  return digest({ ...content, messages });
}

function withBytesOnly(attachment: DeclaredAttachment): unknown {
  return isFileAttachment(attachment) ? { ...attachment, file: attachment.file.digest } : attachment;
}
