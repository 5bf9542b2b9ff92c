import type { CampaignContent } from './campaign.ts';
import type { BroadcastContent } from './broadcast.ts';
import type { DeclaredAttachment, FileAttachment, MediaFile } from './message.ts';
import type { MediaWishes } from './media-wishes.ts';

/** True for an attachment with a file and without an id. */
export function isFileAttachment(attachment: DeclaredAttachment): attachment is FileAttachment {
  return !('id' in attachment);
}

/** A file that can be uploaded, or its problems as parts of a sentence. */
export type ExaminedMedia = MediaFile | { readonly problems: readonly string[] };

/** Checks a file, by its path in the workspace. Never rejects because of the file. */
export type ExamineMedia = (
  path: string,
  wishes?: Pick<MediaWishes, 'name' | 'content_type'>,
) => Promise<ExaminedMedia>;

type Content = CampaignContent | BroadcastContent;

/** The distinct files of a content. */
export function listFiles({ messages }: Content): readonly MediaFile[] {
  const files = new Map<string, MediaFile>();
  for (const { attachments = [] } of messages)
    for (const attachment of attachments)
      if (isFileAttachment(attachment) && !files.has(attachment.file.digest))
        files.set(attachment.file.digest, attachment.file);
  return [...files.values()];
}

/** A content with an id for each file. If `idOf` returns null, the file is unchanged. */
export function withMediaIds<Of extends Content>(content: Of, idOf: (file: MediaFile) => string | null): Of {
  if (listFiles(content).length === 0) return content;
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
