import { gitHubJob } from './github/job.ts';
import { gitLabJob } from './gitlab/job.ts';
import { NO_JOB, type Job, type JobSource, type ProviderName } from './job.ts';

/**
 * Finds out where this job runs. `asked` is the value of `--provider`: it wins over the environment. With `generic`
 * nothing is read.
 */
export async function detectJob(source: JobSource, asked?: ProviderName): Promise<Job> {
  const provider = asked ?? providerIn(source.env);
  if (provider === 'github') return gitHubJob(source);
  return provider === 'gitlab' ? gitLabJob(source) : NO_JOB;
}

/** GitHub Actions also runs on other hosts of the same software; the variable says the software, not the host. */
function providerIn(env: JobSource['env']): ProviderName {
  if (env['GITHUB_ACTIONS'] === 'true') return 'github';
  return env['GITLAB_CI'] === 'true' ? 'gitlab' : 'generic';
}
