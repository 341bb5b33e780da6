import { useJobsUnderWay } from '../../engine/client/index.ts'

/** Loaded in parallel with the first screen, which does not wait for it. */
export default function JobsUnderWay() {
  useJobsUnderWay()
  return null
}
