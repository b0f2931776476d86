import { setupMockWorker } from 'contentgen/mock/browser';

const { mock } = await setupMockWorker({ control: true });

const frame = document.createElement('iframe');
frame.title = 'Dashboard';
frame.src = `/contentgen-dashboard/index.html?server=${encodeURIComponent(mock.baseUrl)}`;
document.body.append(frame);
