import type { Context } from '../context.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { shown, type Visible, visibleProse } from '../../domain/visible.ts';
import type { LocalFile } from '../../api/upload-file.ts';
import type { UploadOutcome, UploadResult } from '../../acts/upload/status.ts';
import { byteWords } from '../../render/byte-words.ts';
import { renderJson } from '../../render/json.ts';
import { renderTable } from '../../render/table.ts';
import { EXIT } from '../../domain/exit-codes.ts';

/** Outcomes that count as success. */
const IS_THERE: ReadonlySet<UploadOutcome> = new Set(['exported', 'already', 'accepted']);

const COLUMNS = [
  { header: 'FILE' },
  { header: 'SIZE', align: 'right' },
  { header: 'OUTCOME' },
  { header: 'MEDIA', whole: true },
  { header: 'STATUS' },
] as const;

/** Prints the result of each file and returns the exit code. */
export function reportUploads(
  context: Context,
  format: 'text' | 'json',
  account: ResolvedAccount,
  files: readonly LocalFile[],
  results: readonly UploadResult[],
): number {
  const lines = files.flatMap((file, index) => {
    const result = results[index];
    return result === undefined ? [] : [{ file, result }];
  });
  if (format === 'json') {
    const items = lines.map(({ file, result }) => itemOf(account, file, result));
    context.output.result(renderJson({ schema: 'herald/list/1', items, complete: true }));
  } else {
    const rows = lines.map(({ file, result }) => rowOf(file, result));
    const { colour, width } = context.output;
    context.output.result(renderTable(COLUMNS, rows, { colour, width }));
  }
  for (const { file, result } of lines) {
    const words = visibleProse(`${file.path}: ${result.message}`);
    if (IS_THERE.has(result.outcome)) {
      if (result.message !== '') context.output.say(withUpload(words, result));
    } else context.output.fail(withUpload(words, result));
  }
  return uploadsExit(
    results.map(({ outcome }) => outcome),
    context.interrupted.aborted,
  );
}

/**
 * | unknown | interrupted, and some left | pending | some there | some not | exit |
 * |---------|----------------------------|---------|------------|----------|------|
 * | yes     |                            |         |            |          | 3    |
 * | no      | yes                        |         |            |          | 130  |
 * | no      | no                         | yes     |            |          | 3    |
 * | no      | no                         | no      | yes        | yes      | 4    |
 * | no      | no                         | no      | no         | yes      | 1    |
 * | no      | no                         | no      |            | no       | 0    |
 */
function uploadsExit(outcomes: readonly UploadOutcome[], interrupted: boolean): number {
  const count = (...wanted: readonly UploadOutcome[]) =>
    outcomes.filter((outcome) => wanted.includes(outcome)).length;
  if (count('unknown') > 0) return EXIT.unknown;
  if (interrupted && count('not_attempted', 'pending') > 0) return EXIT.interrupted;
  if (count('pending') > 0) return EXIT.unknown;
  const there = outcomes.filter((outcome) => IS_THERE.has(outcome)).length;
  if (there === outcomes.length) return EXIT.done;
  return there === 0 ? EXIT.failed : EXIT.partly;
}

/** Adds the upload id for `herald vault retry`, if there is one. */
function withUpload(words: Visible, { uploadId }: UploadResult): Visible {
  return uploadId === null ? words : shown`${words} (upload ${uploadId})`;
}

function rowOf(file: LocalFile, { outcome, mediaId, status }: UploadResult): readonly string[] {
  return [file.path, byteWords(file.size), outcome, mediaId ?? '-', status ?? '-'];
}

function itemOf({ alias, accountId }: ResolvedAccount, file: LocalFile, result: UploadResult) {
  return {
    account: alias,
    account_id: accountId,
    file: file.path,
    name: file.name,
    size: file.size,
    content_type: file.contentType,
    outcome: result.outcome,
    media_id: result.mediaId,
    upload_id: result.uploadId,
    status: result.status,
    message: result.message,
  };
}
