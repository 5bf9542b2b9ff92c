import { ProviderError } from '../error.ts';
import type { GitHubClient } from './client.ts';
import { membershipReply, teamReply } from './shapes.ts';

const TEAM_TOKEN =
  'The token of a job cannot see teams. Name the users in `policy.approvals`, or set GITHUB_TOKEN to a token with the permission "Members: read" of the organisation.';

/** `team` as `organisation/team`. */
export async function isTeamMember(client: GitHubClient, user: string, team: string): Promise<boolean> {
  const [org = '', slug = ''] = team.split('/');
  const params = { org, team_slug: slug };
  try {
    const route = 'GET /orgs/{org}/teams/{team_slug}/memberships/{username}';
    const what = `find out whether ${user} is in team ${team}`;
    const call = { what, route, params: { ...params, username: user } };
    return (await client.ask(call, membershipReply)).state === 'active';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // "Not a member" and "not for this token" have the same answer. A team that can be seen tells them apart.
    if (error.code === 'provider-not-found') {
      const call = { what: `read team ${team}`, route: 'GET /orgs/{org}/teams/{team_slug}', params };
      await client.ask(call, teamReply);
      return false;
    }
    if (error.code !== 'provider-denied') throw error;
    throw new ProviderError(error.code, error.message, null, { next: TEAM_TOKEN, cause: error });
  }
}
