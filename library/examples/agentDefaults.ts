import { agentDefaults } from 'pagehand/agent';

console.log(agentDefaults().settings.ranking);
// → router
