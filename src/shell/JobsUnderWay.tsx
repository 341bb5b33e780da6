import { useJobsUnderWay } from '../../engine/client/index.ts'

/** Loaded beside the first screen, which does not wait for it. */
export default function JobsUnderWay() {
  useJobsUnderWay()
  return null
}
