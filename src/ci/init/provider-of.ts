import type { RepositoryFiles } from '../../domain/ports.ts';
import type { ProviderName } from '../../provider/job.ts';
import { GITLAB_PIPELINE_PATH } from './gitlab-pipeline.ts';

/**
 * Where the repository runs its jobs: by the hosts of its remotes, otherwise by the files that are there. Null if they
 * do not say, or contradict each other.
 */
export async function providerOf(repository: RepositoryFiles): Promise<ProviderName | null> {
  const byHost = new Set(repository.hosts.flatMap(providerOfHost));
  if (byHost.size > 0) return only(byHost);
  const byFile = new Set<ProviderName>();
  if (await repository.exists('.github')) byFile.add('github');
  if (await repository.exists(GITLAB_PIPELINE_PATH)) byFile.add('gitlab');
  return only(byFile);
}

/** Servers of companies usually have the product in their name. */
function providerOfHost(host: string): readonly ProviderName[] {
  const words = host.split(/[.-]/);
  if (words.includes('github') || host.endsWith('.ghe.com')) return ['github'];
  return words.includes('gitlab') ? ['gitlab'] : [];
}

function only(found: ReadonlySet<ProviderName>): ProviderName | null {
  const [one = null] = found;
  return found.size === 1 ? one : null;
}
