import type { DiagnosticCode } from '../domain/codes.ts';
import { disguisesIn } from '../domain/lookalikes.ts';
import type { Outside } from './expand.ts';
import { error, type Path, type Report } from './findings.ts';
import { mediaReference, type ExaminedMedia, type MediaFiles } from './media-files.ts';
import type { WrittenResource } from './resources.ts';
import type { TextFile, TextFiles } from './text-files.ts';
import { placeInText } from './text.ts';

interface Readers {
  readonly texts: TextFiles;
  readonly media: MediaFiles;
}

const NOTHING: Outside = { texts: new Map(), media: new Map() };

/** Reads the texts and media files of a resource's messages. Refused ones are reported. */
export async function readOutside(
  readers: Readers,
  resource: WrittenResource,
  report: Report,
): Promise<Outside> {
  const { source } = resource;
  const messages = resource.written.messages ?? [];
  const outside = { texts: new Map<number, TextFile>(), media: new Map<string, ExaminedMedia>() };
  let isUsed = false;
  const refuse = (code: DiagnosticCode, path: Path, sentences: readonly string[]) =>
    report.addFindings(
      source,
      resource.path,
      sentences.map((sentence) => error(code, path, sentence)),
    );
  for (const [index, { text_file: reference, attachments = [] }] of messages.entries()) {
    if (reference !== undefined) {
      isUsed = true;
      const result = await readers.texts.read(source.file, reference);
      if (result.kind === 'read') {
        outside.texts.set(index, result.textFile);
        warnOfDisguises(result.textFile, report);
      } else refuse(result.code, ['messages', index, 'text_file'], [result.message]);
    }
    for (const [position, attachment] of attachments.entries()) {
      const { file } = attachment;
      if (file === undefined) continue;
      isUsed = true;
      const result = await readers.media.read(source.file, file, attachment);
      if (result.kind === 'read') outside.media.set(mediaReference(attachment), result);
      else refuse(result.code, ['messages', index, 'attachments', position, 'file'], result.messages);
    }
  }
  return isUsed ? outside : NOTHING;
}

function warnOfDisguises({ file, text }: TextFile, report: Report): void {
  for (const { code, message, part } of disguisesIn(text))
    report.add({ severity: 'warning', code, message, ...placeInText(file, text, text.indexOf(part)) });
}
