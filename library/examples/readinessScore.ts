import { checkReadiness, readinessScore } from 'pagehand/tools';

const tools = [{ name: 'do', description: 'Does it.' }];
console.log(
  readinessScore(
    tools.map(({ name }) => name),
    checkReadiness(tools),
  ),
);
// → 85
console.log(readinessScore([], []));
// → undefined
