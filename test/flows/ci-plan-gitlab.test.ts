import { expect, it, onTestFinished } from 'vitest';
import { readMarker, workspaceDigest } from '../../src/ci/comment.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';
import { aScene, WORKSPACE } from '../helpers/scene.ts';
import { serveGitLab } from '../provider/gitlab-server.ts';

const BASE = 'b'.repeat(40);
const HEAD = 'a'.repeat(40);

it('plans a merge request, with a note, a status and a code-quality report', async () => {
  const gitlab = await serveGitLab();
  onTestFinished(() => gitlab.close());
  const pull = gitlab.world.open({ head: HEAD, base: BASE });
  const [before, after] = ['Old', 'New'].map((text) => ({
    'herald.yaml': WORKSPACE,
    ...declaring({ campaigns: [campaign({ messages: [{ text }] })] }),
  }));
  const scene = aScene({
    files: after ?? {},
    repository: memoryRepository([
      { id: BASE, files: before ?? {} },
      { id: HEAD, parents: [BASE], files: after ?? {} },
    ]),
  });
  Object.assign(scene.env, gitlab.env, {
    GITLAB_CI: 'true',
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_JOB_ID: '501',
    CI_COMMIT_SHA: HEAD,
    CI_MERGE_REQUEST_IID: String(pull.number),
    CI_MERGE_REQUEST_DIFF_BASE_SHA: BASE,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: gitlab.world.repository,
    CI_MERGE_REQUEST_PROJECT_PATH: gitlab.world.repository,
  });
  const ran = await scene.herald('ci', 'plan', '--simulator', '--out-dir', 'out');
  expect(ran.code, ran.stderr).toBe(0);
  const [comment] = gitlab.world.commentsOf(pull);
  expect(readMarker(workspaceDigest(''), comment?.body ?? '')).toMatchObject({ run: '501', head: HEAD });
  expect(gitlab.world.statuses).toMatchObject([{ sha: HEAD, description: '1 to create' }]);
  expect(JSON.parse(scene.files.tree['out/gl-code-quality-report.json'] ?? '')).toMatchObject([
    { check_name: 'Herald plan', location: { path: 'live/all.yaml' } },
  ]);
  expect(gitlab.requests.length).toBeLessThanOrEqual(10);
});
