import { GENERIC_FIRST_LINE, genericScript, genericScriptPath } from './generic-script.ts';
import { gitHubWorkflow, gitHubWorkflowPath } from './github-workflow.ts';
import { GITLAB_PIPELINE_PATH, gitLabPipeline } from './gitlab-pipeline.ts';
import { marksOf, withBlock, type MarkedFile } from './marked.ts';
import type { ProviderName } from '../../provider/job.ts';
import type { CiSettings } from './settings.ts';

/** Where the file of a provider is, from the root of the repository. */
export function ciFilePath(provider: ProviderName, folder: string): string {
  if (provider === 'github') return gitHubWorkflowPath(folder);
  return provider === 'gitlab' ? GITLAB_PIPELINE_PATH : genericScriptPath(folder);
}

/** The file as it should be. `existing` is null if there is none yet. */
export function ciFile(provider: ProviderName, settings: CiSettings, existing: string | null): MarkedFile {
  const marks = marksOf(settings.folder);
  if (provider === 'github') return withBlock(existing, gitHubWorkflow(settings), marks);
  if (provider === 'gitlab') return withBlock(existing, gitLabPipeline(settings), marks);
  return withBlock(existing, genericScript(settings), marks, GENERIC_FIRST_LINE);
}
