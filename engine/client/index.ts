/** The public interface of the React runtime, for the shell and the views of screen kinds. */
export { errorText, isSilent, RequestError } from './RequestError.ts'
export { createRequest } from './request.ts'
export type { Request } from './request.ts'
export { ClientReact, useClient, useShown } from './frame.ts'
export type {
  ActionHost,
  ClientContext,
  RunAction,
  ScreenFrame,
  ScreenView,
  ScreenViewProps,
  ShownRecord,
} from './frame.ts'
export { EngineProvider } from './EngineProvider.tsx'
export { AppBundleProvider, useAppBundle } from './AppBundle.tsx'
export { prefetchFirstScreen } from './prefetchFirstScreen.ts'
export { Screen } from './Screen.tsx'
export { follow, ScreenProblem } from './ScreenProblem.tsx'
export { judge, partAt } from './inspected.ts'
export type { Around, ScreenPart } from './inspected.ts'
export { OutdatedAlert, ScreenFailure, ScreenSkeleton } from './ScreenState.tsx'
export { Tabs } from './Tabs.tsx'
export { useRecord } from './records.ts'
export { useMenu } from './useMenu.ts'
export { useShownRecord } from './useShownRecord.ts'
export { usePrefetchScreen } from './usePrefetchScreen.ts'
export { combineDirty } from './combineDirty.ts'
export { useConfirm } from './useConfirm.ts'
export { useAskedLeaving } from './useAskedLeaving.ts'
export { useStable } from './useStable.ts'
export { ActionButton } from './actions/ActionButton.tsx'
export { useActions } from './actions/useActions.tsx'
export { useJobsUnderWay } from './useJobsUnderWay.ts'
export { permitted } from './permission.ts'
export { busySign } from './busySign.tsx'
export { pressable } from './pressable.ts'
export { FieldDisplay } from './FieldDisplay.tsx'
export { FilterControl } from './FilterControl.tsx'
export { WidgetEdit } from './formWidget.tsx'
export { fieldText } from './fieldText.ts'
export { fill } from './fill.ts'
export { EngineReact, useEngine } from './view.ts'
export type { EngineContext } from './view.ts'
export { defineWords, useWords } from './words.ts'
