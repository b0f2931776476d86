/** An entry of one paragraph is a list item; a longer one reads as an announcement, without a commit before it. */
export default {
  getReleaseLine: async ({ summary }) => (/\n\s*\n/.test(summary) ? summary : `- ${summary}`),
  getDependencyReleaseLine: async () => '',
};
