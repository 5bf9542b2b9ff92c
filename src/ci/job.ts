import { formatCommand } from '../domain/command-line.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Clock, Files, Output, TypedFiles, WebFetch } from '../domain/ports.ts';
import { shown } from '../domain/visible.ts';
import { detectJob, type Job, type ProviderName } from '../provider/job.ts';
import { VERSION } from '../version.ts';
import { WORKSPACE_FILE } from '../workspace/workspace.ts';
import { readYaml } from '../workspace/yaml.ts';
import { readMember } from '../domain/field-path.ts';
import type { ReportPorts } from './report.ts';

interface JobPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly typed: { readonly files: TypedFiles };
  readonly clock: Clock;
  readonly output: Output;
}

type CiCommand = 'plan' | 'apply' | 'drift';

interface Asked {
  readonly provider: ProviderName | undefined;
  readonly allowUnsafeEvent: boolean;
  /** The branch that is applied, if a flag names it. */
  readonly branch?: string | undefined;
}

/**
 * The job that this command runs in. Throws for one that may have the key and the files of a person who may not use it. Those files
 * decide what is read and where Herald connects. Nothing of them was read yet.
 *
 * | the job runs on                                                   | plan    | apply, drift |
 * |-------------------------------------------------------------------|---------|--------------|
 * | a pull request or its queue                                       | runs    | refused      |
 * | a push to the default branch, or a schedule there                 | runs    | runs         |
 * | a push to the branch of --branch, or a schedule there             |         | runs         |
 * | a push to the default branch with another --branch                |         | drift only   |
 * | any other event, such as a comment, by hand, or another workflow  | refused | refused      |
 * | no job that Herald knows, such as a shell                         | runs    | runs         |
 */
export async function openJob(
  { env, typed, clock, output }: JobPorts,
  { provider, allowUnsafeEvent, branch }: Asked,
  command: CiCommand,
): Promise<ReportPorts & { readonly job: Job }> {
  const job = await detectJob({ env, readText: (path) => typed.files.readText(path) }, provider);
  if (!allowUnsafeEvent && job.eventName !== null && !isSafe(job, command, branch))
    throw refuseEvent(job, command);
  return {
    job,
    say: (text) => output.say(text),
    provider: async () => {
      const [{ connectProvider }, { createWebFetch }] = await Promise.all([
        import('../provider/connect.ts'),
        import('../api/transport.ts'),
      ]);
      const fetch = createWebFetch();
      // Comments, statuses and issues are for everyone who reads the repository.
      const withoutSecrets: WebFetch = (url, init) =>
        fetch(url, typeof init.body === 'string' ? { ...init, body: output.masked(init.body) } : init);
      return connectProvider(job, { env, clock, fetch: withoutSecrets, userAgent: `herald/${VERSION}` });
    },
    // Does nothing where the job has no page.
    summary: async (draw) => {
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
    },
  };
}

function refuseEvent({ branch, eventName }: Job, command: CiCommand): HeraldError {
  const where = branch === null ? '' : ` of the branch ${branch}`;
  return new HeraldError(
    'ci-unsafe-event',
    `${formatCommand('ci', command)} does not run on ${eventName}${where}, because the files may be those of a change that is not merged. Nothing was read or sent.`,
    command === 'plan'
      ? `Run the job on pull_request, merge_group, or a push to the default branch. If you trust everyone who can open a pull request: add --allow-unsafe-event`
      : `Run the job on a push to the default branch or on a schedule. If that job applies another branch: --branch NAME. If you trust the files that are checked out: add --allow-unsafe-event`,
  );
}

/** A `pull_request_target` has the secrets of the base branch, also if a stranger wrote the head. */
const PULL_REQUESTS = ['pull_request', 'merge_request_event'];

function isSafe({ event, eventName, ...job }: Job, command: CiCommand, branch?: string): boolean {
  if (event === 'push' || event === 'schedule') {
    // GitHub has schedules on the default branch only. Its workflow may check out another branch, to compare that one.
    const trusted = command === 'drift' ? [branch, job.defaultBranch] : [branch ?? job.defaultBranch];
    return job.branch !== null && trusted.includes(job.branch);
  }
  return command === 'plan' && (event === 'merge-queue' || PULL_REQUESTS.includes(eventName ?? ''));
}

/**
 * What `service:` of `herald.yaml` says without any variables, also where other parts of the file have errors. `origin` is null if it
 * has a variable, is not an address, or is not there.
 */
export function readOrigin(text: string) {
  const service = readMember(readYaml(WORKSPACE_FILE, text).source?.value, 'service');
  const [url, simulator] = [readMember(service, 'base_url'), readMember(service, 'simulator')];
  const isSimulated = typeof simulator === 'string';
  const isWritten = typeof url === 'string' && !url.includes('${') && URL.canParse(url);
  if (isSimulated || !isWritten) return { isSimulated, origin: null };
  const { origin } = new URL(url);
  // It is written into a script, and a host may have `$(…)`.
  return { isSimulated, origin: /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : null };
}

/** A job that is green although it sent nothing to anyone would hide that the address of the service is missing. */
export async function refuseSimulator(
  { files, env }: Pick<JobPorts, 'env'> & { readonly files: Files },
  simulator: boolean,
): Promise<void> {
  if (simulator || (env['HERALD_BASE_URL'] ?? '') !== '') return;
  const text = await files.readText('herald.yaml').catch(() => '');
  if (!readOrigin(text).isSimulated) return;
  throw new HeraldError(
    'ci-simulator',
    'herald.yaml names the embedded simulator, so this job would send nothing to anyone. Nothing was planned or applied.',
    'Replace simulator: by base_url: in herald.yaml, or set the variable HERALD_BASE_URL in the job. To try the job with the simulator: --simulator',
  );
}

/** GitHub refuses a longer summary of a step. */
const SUMMARY_BYTES_MAX = 1024 * 1024;
