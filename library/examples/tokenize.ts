import { tokenize } from 'pagehand/router';

console.log(tokenize('github_create_issue'));
// → ["github","create","issue"]
