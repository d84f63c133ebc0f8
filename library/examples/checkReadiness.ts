import { checkReadiness } from 'pagehand/tools';

const findings = checkReadiness([{ name: 'do', description: 'Does it.' }]);
console.log(findings.map(({ rule, severity }) => `${severity}: ${rule}`));
// → ["warning: vague-description"]
