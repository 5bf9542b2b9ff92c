import { codeQuality } from '../../ci/code-quality.ts';
import type { Annotation } from '../../domain/annotation.ts';
import { shown } from '../../domain/visible.ts';
import type { Job } from '../../provider/job.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import type { Context } from '../context.ts';
import { writeReport } from '../write-report.ts';

/** The names are in the jobs that `ci init` writes, and in the artifact that `ci apply` reads. */
export const PLAN_FILE = 'herald-plan.json';
export const MARKDOWN_FILE = 'herald-plan.md';
export const PAGE_FILE = 'herald-plan.html';
const CODE_QUALITY_FILE = 'gl-code-quality-report.json';

/** GitHub refuses a longer summary of a step. */
const SUMMARY_BYTES_MAX = 1024 * 1024;

/** A file of the folder of `--out-dir`. */
export function inFolder(folder: string, file: string): string {
  return `${folder.replace(/\/+$/, '')}/${file}`;
}

/** Adds to the page of the job. Does nothing where there is none. */
export async function writeJobSummary(
  { env, typed, output }: Context,
  draw: (bytes: number) => string,
): Promise<void> {
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (path === '') return;
  try {
    const before = await typed.files.readText(path).catch(() => '');
    const text = draw(SUMMARY_BYTES_MAX - Buffer.byteLength(before) - 2);
    await typed.files.writeAtomically(path, `${before}${output.masked(text)}\n`);
  } catch (error) {
    // The comment has the same.
    output.say(shown`The summary of the job was not written: ${fileProblem(error)}.`);
  }
}

/** Writes the report that GitLab shows on the lines of a merge request. */
export async function writeCodeQuality(
  context: Context,
  job: Job,
  { outDir, folder }: { readonly outDir: string; readonly folder: string },
  annotations: readonly Annotation[],
): Promise<void> {
  if (job.provider !== 'gitlab') return;
  const report = JSON.stringify(codeQuality(annotations, folder), null, 2);
  await writeReport(context, inFolder(outDir, CODE_QUALITY_FILE), `${report}\n`);
}
